import SceneClient

/// The two applications of the demonstration, which are the worked examples of the routing contract.
struct Demo {
  private let router: RouterConnection
  /// The scenes that were opened, by id, in words.
  private var names: [String: String] = [:]

  init(_ router: RouterConnection) { self.router = router }

  /// One list with a selection, which decides what its scene prefers and allows.
  mutating func playContactList() async throws {
    title(
      "ContactList: a scene that takes any contact while none is selected, and only the selected one else"
    )
    let first = try await open("ContactList", "the list", preferring: [], allowing: ["*"])
    try await send("contact-1", "no contact is selected, so the list takes any")
    try await first.scene.setRegistration("list", preferring: ["contact-1"], allowing: [])
    let second = try await open("ContactList", "a second list", preferring: [], allowing: ["*"])
    try await send("contact-1", "the first list shows contact-1 and prefers it")
    try await send("contact-2", "the first list takes only contact-1 now, the second anything")
    try await second.scene.setRegistration("list", preferring: ["contact-2"], allowing: [])
    try await send("contact-3", "both lists are taken, and no declaration opens a third")
    for list in [first, second] { try await close(list) }
  }

  /// Two declarations: a detail for photos, a browser for everything else.
  mutating func playMyPhotos() async throws {
    title("MyPhotos: links to a photo open a detail of it, everything else a browser")
    let photos = try await router.declareApplication(
      "MyPhotos",
      scenes: [.windowGroup("browser"), .windowGroup("detail", matching: ["photoIdentifier="])],
      claims: Claims(schemes: ["photos"])
    )
    let opener = Task { [router] in
      var opened: [PlayedScene] = []
      for try await request in photos.openRequests {
        let content = request.event.url.map { [$0] } ?? []
        let scene = try await request.openScene(
          title: request.declarationID,
          registrations: [
            Registration(id: "view", preferring: request.declarationID == "detail" ? content : [])
          ]
        )
        opened.append(PlayedScene(scene))
      }
      _ = router
      return opened
    }
    try await send(url: "photos://show?photoIdentifier=4711", "no detail is open, so a new one is")
    try await send(
      url: "photos://show?photoIdentifier=4711",
      "that detail prefers its photo: no second window"
    )
    try await send(url: "photos://show?photoIdentifier=4712", "another photo opens another detail")
    try await send(url: "photos://albums", "not a photo: the declaration without a condition opens a browser")
    photos.close()
    for scene in try await opener.value { try await close(scene) }
  }

  private func title(_ text: String) { Terminal.show("\n" + Terminal.styled(text, .strong)) }

  private mutating func open(
    _ application: String,
    _ name: String,
    preferring: [String],
    allowing: [String]
  ) async throws -> PlayedScene {
    let scene = try await router.openScene(
      application: application,
      title: name,
      registrations: [Registration(id: "list", preferring: preferring, allowing: allowing)]
    )
    names[scene.id] = name
    return PlayedScene(scene)
  }

  private func close(_ played: PlayedScene) async throws {
    try await played.scene.close()
    try await played.acknowledging.value
  }

  private func send(_ contact: String, _ why: String) async throws {
    let activity = Activity("org.example.contact", targetContentIdentifier: contact)
    try await send(Event(activity: activity), why)
  }

  private func send(url: String, _ why: String) async throws { try await send(Event(url: url), why) }

  private func send(_ event: Event, _ why: String) async throws {
    let outcome = try await router.send(event)
    let name = outcome.attempts.last?.sceneID.flatMap { names[$0] }.map { " (\($0))" } ?? ""
    Terminal.show("  \(event.summary)\n    \(outcome.sentence)\(name)\n    " + Terminal.styled(why, .quiet))
  }
}

/// A scene of the demonstration, which acknowledges whatever it gets.
private struct PlayedScene {
  let scene: OpenScene
  let acknowledging: Task<Void, any Error>

  init(_ scene: OpenScene) {
    self.scene = scene
    acknowledging = Task {
      for try await delivery in scene.deliveries { try await delivery.acknowledge() }
    }
  }
}
