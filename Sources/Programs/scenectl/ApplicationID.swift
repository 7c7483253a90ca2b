import SceneRouting

/// Removes `.desktop` from an application id that an option names.
///
/// The router's replies have ids of this form.
func applicationID(_ text: String) -> String { text.asApplicationID }
