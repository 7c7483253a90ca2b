import SceneRouting

/// Reads the value of an option that names an application; the router's replies have ids in the same form.
func applicationID(_ text: String) -> String { text.asApplicationID }
