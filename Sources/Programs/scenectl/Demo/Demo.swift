import SceneClient

struct Demo {
  let router: RouterConnection

  /// The windows are of this process.
  func playBrowser() async throws {
    try title("A browser", "has windows with pages, and a meeting program claims the links of its host")
    let page = "https://en.wikipedia.org/wiki/Cat"
    let browser = try await router.declareApplication(
      "browser",
      scenes: [],
      claims: Claims(schemes: ["https"])
    )
    let meetings = try await router.declareApplication(
      "meet",
      scenes: [],
      claims: Claims(hosts: ["meet.jit.si"])
    )
    let windows = try await [
      router.openScene(
        application: "browser",
        title: "Wikipedia",
        registrations: [Self.view(showing: [page])]
      ),
      router.openScene(
        application: "browser",
        title: "Start page",
        registrations: [Self.view(allowing: ["*"])]
      ),
      router.openScene(application: "meet", title: "Meetings", registrations: [Self.view(allowing: ["*"])]),
    ]
    try await withThrowingTaskGroup { group in
      for window in windows {
        group.addTask { for try await delivery in window.deliveries { try await delivery.acknowledge() } }
      }
      for url in [page, "https://meet.jit.si/standup", "https://www.debian.org/"] { try await send(url: url) }
      for window in windows { _ = try await window.close() }
      try await group.waitForAll()
    }
    browser.close()
    meetings.close()
  }

  private static func view(showing: [String] = [], allowing: [String] = []) -> Registration {
    Registration(id: "view", showing: showing, allowing: allowing)
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
      if decision?.applicationBecause == .hostClaim, let host = decision?.applicationSource {
        "claims \(host)"
      } else if let rule = decision?.rule {
        rule.rawValue + (decision?.matchedPattern.map { " \($0)" } ?? "")
      } else {
        "no rule found a target"
      }
    let styled = Terminal.styled(destination.padded(to: 27), outcome.isTaken ? .good : .bad)
    try Terminal.show("  \(name.padded(to: 33))  \(styled)  \(reason)")
  }

  private func title(_ application: String, _ text: String) throws {
    try Terminal.show(Terminal.styled(application, .strong) + " \(text):")
  }
}
