import SceneRouting

/// Returns the id of an application that an option names.
///
/// It is without `.desktop`, as in the router's replies.
func applicationID(_ text: String) -> String { text.asApplicationID }
