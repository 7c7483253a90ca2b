import SceneRouting

/// Removes `.desktop` from an application id that an option names.
///
/// In the router's replies, ids have no `.desktop`.
func applicationID(_ text: String) -> String { text.asApplicationID }
