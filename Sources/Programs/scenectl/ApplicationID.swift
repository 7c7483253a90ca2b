import SceneRouting

/// Ids in the router's replies have no `.desktop`.
func applicationID(_ text: String) -> String { text.asApplicationID }
