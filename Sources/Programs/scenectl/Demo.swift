import SceneClient

/// Sends events to the two examples, which are the worked examples of the routing contract.
struct Demo {
  let router: RouterConnection

  /// Plays with a list window that shows one contact at a time.
  func playContactList() async throws {
    try title("ContactList", "takes any contact while none is selected, then only the selected one")
    let (ada, grace) = ("3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A01", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A02")
    try await waitForWindow(of: "org.example.ContactList.desktop")
    try await send(contact: ada, "Nothing is selected, so the window takes any contact.")
    try await send(contact: ada, "The window shows this contact and prefers it.")
    try await send(contact: grace, "The window takes nothing else now, so another one opens.")
    try await send(contact: grace, "Now that one shows this contact.")
  }

  /// Plays with two declarations: a detail for photos, a browser for everything else.
  func playMyPhotos() async throws {
    try title("MyPhotos", "opens a detail for each photo, and a browser for everything else")
    try await waitForWindow(of: "org.example.MyPhotos.desktop")
    try await send(url: "photos:?photoIdentifier=sunset", "No window shows this photo yet.")
    try await send(url: "photos:?photoIdentifier=sunset", "Now one does, and prefers it.")
    try await send(url: "photos:?photoIdentifier=harbour", "Another photo gets another window.")
    try await send(url: "photos:albums", "This is no photo, so the declaration without a condition has it.")
  }

  /// Waits until the program has opened its first window.
  private func waitForWindow(of application: String) async throws {
    for try await change in try await router.monitor(showsDecisions: false) {
      switch change {
      case .snapshot(let snapshot) where snapshot.scenes.contains { $0.applicationID == application }: return
      case .sceneChanged(let scene) where scene.applicationID == application: return
      default: break
      }
    }
  }

  private func send(contact: String, _ why: String) async throws {
    let activity = Activity("org.example.ContactList.contact", targetContentIdentifier: contact)
    try await send(Event(activity: activity), contact, why)
  }

  private func send(url: String, _ why: String) async throws {
    try await send(Event(url: url), url, why)
  }

  private func send(_ event: Event, _ name: String, _ why: String) async throws {
    let outcome = try await router.send(event)
    let decision = outcome.decision
    let scene = outcome.isTaken ? outcome.attempts.last?.sceneID : nil
    var destination = "nowhere"
    // What the window shows now is in its title.
    if let scene { destination = try await router.scenes(id: scene).first?.title ?? scene }
    let reason =
      if let rule = decision?.rule {
        if let identifier = decision?.matchedPattern {
          "rule \(rule.rawValue.padded(to: 10))  identifier \(identifier)"
        } else {
          "rule \(rule.rawValue)"
        }
      } else {
        "no rule found a target"
      }
    try Terminal.show(
      """

        \(name)   \(Terminal.styled(why, .quiet))
          to \(Terminal.styled(destination.padded(to: 16), outcome.isTaken ? .good : .bad))  \(reason)
      """
    )
  }

  private func title(_ application: String, _ text: String) throws {
    try Terminal.show("\n" + Terminal.styled(application, .strong) + " \(text):")
  }
}
