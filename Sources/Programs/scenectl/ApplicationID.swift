import SceneRouting

/// Returns the id in the value of an option that names an application, without `.desktop`, as in the router's replies.
func applicationID(_ text: String) -> String { text.asApplicationID }
