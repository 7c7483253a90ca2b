import SceneClient

/// The two applications of the demonstration, which are the worked examples of the routing contract.
struct Demo {
  private let router: RouterConnection
  /// What the scenes show, by the id of the scene.
  private var names: [String: String] = [:]
  /// What takes the events of the scenes, and opens new ones.
  private var players: [Task<Void, any Error>] = []

  init(_ router: RouterConnection) { self.router = router }

  /// A window that takes any contact while none is selected in it, else only the selected one.
  mutating func playContactList() async throws {
    try title("ContactList", "takes any contact while none is selected, then only the selected one")
    let first = try await open("first list", allowing: ["*"])
    try await send(contact: "contact-1", "Nothing is selected, so the list takes any contact.")
    try await first.setRegistration("list", preferring: ["contact-1"])
    let second = try await open("second list", allowing: ["*"])
    try await send(contact: "contact-1", "The first list shows this contact and prefers it.")
    try await send(contact: "contact-2", "The first list takes nothing else now, the second does.")
    try await second.setRegistration("list", preferring: ["contact-2"])
    try await send(contact: "contact-3", "Each list shows another contact, and nothing opens a third.")
  }

  /// Two declarations: a detail for photos, a browser for everything else.
  mutating func playMyPhotos() async throws {
    try title("MyPhotos", "opens a detail for each photo, and a browser for everything else")
    let photos = try await router.declareApplication(
      "MyPhotos",
      scenes: [.windowGroup("browser"), .windowGroup("detail", matching: ["photoIdentifier="])],
      claims: Claims(schemes: ["photos"])
    )
    players.append(
      Task {
        try await withThrowingTaskGroup { scenes in
          for try await request in photos.openRequests {
            let shown = request.declarationID == "detail" ? request.event.url.map { [$0] } : nil
            let view = Registration(id: "view", preferring: shown ?? [])
            let scene = try await request.openScene(registrations: [view])
            scenes.addTask { try await Self.acknowledgeAll(scene) }
          }
          try await scenes.waitForAll()
        }
      }
    )
    try await send(url: "photos:?photoIdentifier=1", "No window shows this photo yet.")
    try await send(url: "photos:?photoIdentifier=1", "Now one does, and prefers it.")
    try await send(url: "photos:?photoIdentifier=2", "Another photo gets another window.")
    try await send(url: "photos:albums", "This is no photo, so the declaration without a condition has it.")
  }

  /// Waits until the router has ended and closed every scene.
  func waitForEnd() async throws {
    for player in players { try await player.value }
  }

  private mutating func open(_ name: String, allowing: [String]) async throws -> OpenScene {
    let scene = try await router.openScene(
      application: "ContactList",
      title: name,
      registrations: [Registration(id: "list", allowing: allowing)]
    )
    names[scene.id] = name
    players.append(Task { try await Self.acknowledgeAll(scene) })
    return scene
  }

  private static func acknowledgeAll(_ scene: OpenScene) async throws {
    for try await delivery in scene.deliveries { try await delivery.acknowledge() }
  }

  private mutating func send(contact: String, _ why: String) async throws {
    let activity = Activity("org.example.contact", targetContentIdentifier: contact)
    try await send(Event(activity: activity), contact, why)
  }

  private mutating func send(url: String, _ why: String) async throws {
    try await send(Event(url: url), url, why)
  }

  private mutating func send(_ event: Event, _ name: String, _ why: String) async throws {
    let outcome = try await router.send(event)
    let decision = outcome.decision
    let scene = outcome.attempts.last?.sceneID ?? ""
    if decision?.target == .newScene { names[scene] = "\(decision?.declarationID ?? "") \(scene)" }
    let destination = outcome.isTaken ? names[scene] ?? scene : "nowhere"
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
