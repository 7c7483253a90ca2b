import SceneClient

struct Demo {
  let router: RouterConnection

  func playContactList() async throws {
    try title("ContactList", "takes any contact while none is selected, then only the selected one")
    let contacts = [
      ("Ada", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A01"), ("Grace", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A02"),
    ]
    try await waitForWindow(of: "org.example.ContactList")
    for (name, identifier) in contacts {
      let activity = Activity("org.example.ContactList.contact", targetContentIdentifier: identifier)
      // The first event selects the contact in a window, which then prefers the contact and gets the second event.
      for _ in 1...2 { try await send(Event(activity: activity), "contact \(name)") }
    }
  }

  func playMyPhotos() async throws {
    try title("MyPhotos", "opens a window for each photo, and a browser for everything else")
    try await waitForWindow(of: "org.example.MyPhotos")
    for photo in ["sunset", "sunset", "harbour"] { try await send(url: "photos:?photoIdentifier=\(photo)") }
    try await send(url: "photos:albums")
  }

  private func waitForWindow(of application: String) async throws {
    for try await change in try await router.monitor(showsDecisions: false) {
      switch change {
      case .snapshot(let snapshot) where snapshot.scenes.contains { $0.applicationID == application }: return
      case .sceneChanged(let scene) where scene.applicationID == application: return
      default: break
      }
    }
  }

  private func send(url: String) async throws {
    try await send(Event(url: url), url)
  }

  private func send(_ event: Event, _ name: String) async throws {
    let outcome = try await router.send(event)
    let decision = outcome.decision
    var destination = "nowhere"
    if outcome.isTaken, let scene = outcome.attempts.last?.sceneID {
      let title = try await router.scenes(id: scene).first?.title ?? scene
      destination = (decision?.target == .newScene ? "new" : "open") + " window '\(title)'"
    }
    let reason =
      if let rule = decision?.rule { rule.rawValue + (decision?.matchedPattern.map { " \($0)" } ?? "") } else
      {
        "no rule found a target"
      }
    let styled = Terminal.styled(destination.padded(to: 27), outcome.isTaken ? .good : .bad)
    try Terminal.show("  \(name.padded(to: 31))  \(styled)  \(reason)")
  }

  private func title(_ application: String, _ text: String) throws {
    try Terminal.show(Terminal.styled(application, .strong) + " \(text):")
  }
}
