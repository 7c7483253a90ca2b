import SceneRouting

/// A router with many identifiers, and the operations that are measured.
final class RoutingBed {
  /// The holders of the identifiers.
  enum Owners {
    /// Scenes of one application that claims nothing.
    case oneApplication
    /// A thousand applications, ten for each of a hundred claimed URL schemes.
    case claimingApplications
  }

  static let applicationCount = 1000
  static let schemeCount = 100
  /// The identifier that eight scenes prefer; all of them decline.
  static let declined = "/declined/"

  private var router: Router
  private let client = Client(user: UserID(rawValue: 1))
  private var now: UInt64 = 1
  private(set) var scenes: [SceneID] = []
  /// A scene with one identifier.
  private(set) var single = SceneID(rawValue: 0)

  init(count: Int, owners: Owners) throws {
    // The seed is fixed, so that the instruction counts of two commits can be compared.
    router = Router(seed: 1)
    let sceneCount = min(count, 10_000)
    if owners == .claimingApplications { try declareApplications() }
    for scene in 0..<sceneCount {
      let identifiers = stride(from: scene, to: count, by: sceneCount).map { IdentifierCorpus.identifier($0) }
      scenes.append(
        try open(
          owners == .oneApplication ? "org.example.app" : "org.example.app\(scene % Self.applicationCount)",
          [Registration(id: "main", preferring: identifiers)]
        )
      )
    }
    single = try open("org.example.app", [Registration(id: "main", preferring: ["/single/"])])
    for _ in 0..<8 {
      _ = try open("org.example.app", [Registration(id: "main", preferring: [Self.declined])])
    }
  }

  /// Opens a scene with 256 registrations; all of them have the same eight identifiers.
  ///
  /// The router allows a scene at most 256 registrations, with at most 2048 identifiers in all registrations together.
  func openLargeScene() throws -> SceneID {
    let identifiers = (0..<8).map { "/shared\($0)/" }
    let registrations = (0..<256).map { Registration(id: "\($0)", preferring: identifiers) }
    return try open("org.example.app", registrations)
  }

  /// The number of pages that scenes show after ``openScenesThatShowPages()``.
  static let pageCount = 100_000

  /// A page that a scene shows; no identifier matches the page.
  static func page(_ number: Int) -> String { "https://pages.test/\(number)/of/a/hundred/thousand" }

  /// Opens a hundred scenes that show a thousand pages each.
  ///
  /// The scenes belong to a second user. The user of the other scenes can have a million identifiers already, and the
  /// limits would refuse so many pages.
  func openScenesThatShowPages() throws {
    for first in stride(from: 0, to: Self.pageCount, by: 1000) {
      let pages = (first..<first + 1000).map(Self.page)
      let other = Client(user: UserID(rawValue: 2))
      _ = try open("org.example.pages", [Registration(id: "main", showing: pages)], by: other)
    }
  }

  private func declareApplications() throws {
    for application in 0..<Self.applicationCount {
      let declaration = ApplicationDeclaration(
        applicationID: "org.example.app\(application)",
        scenes: [],
        claims: Claims(schemes: ["s\(application % Self.schemeCount)"])
      )
      if case .failure(let error) = router.declare(declaration, by: client, now: 0) {
        throw BenchmarkError("An application was refused: \(error).")
      }
    }
  }

  private func open(
    _ application: String,
    _ registrations: [Registration],
    by client: Client? = nil
  ) throws -> SceneID {
    let opened = router.openScene(
      SceneContext(applicationID: application, registrations: registrations),
      credit: 16,
      by: client ?? self.client,
      now: now,
      realTimeUSec: 0
    )
    do { return try opened.get().scene } catch { throw BenchmarkError("A scene was refused: \(error).") }
  }
}

// MARK: - Timed operations

extension RoutingBed {
  /// Sends an event and acknowledges its delivery; returns whether a scene got the event.
  @discardableResult
  func route(_ event: Event, _ constraints: RouteConstraints = RouteConstraints()) -> Bool {
    guard let delivery = deliver(event, constraints) else { return false }
    _ = router.acknowledge(delivery.id, by: delivery.sceneID, now: now)
    return true
  }

  /// Sends an event that every scene declines; returns the number of scenes that declined.
  @discardableResult
  func routeDeclined(_ event: Event) -> Int {
    var count = 0
    var next = deliver(event, RouteConstraints())
    while let delivery = next {
      count += 1
      guard
        case .success = router.decline(delivery.id, by: delivery.sceneID, reason: nil, now: now)
      else { return count }
      next = shown(router.resume(delivery.decisionID, now: now))
    }
    return count
  }

  /// Replaces the only identifier of a scene.
  func changeRegistration(_ number: Int) {
    let identifier = number.isMultiple(of: 2) ? "/replaced/" : "/single/"
    _ = router.setRegistration(Registration(id: "main", preferring: [identifier]), of: single)
  }

  /// Makes a scene active.
  func activate(_ scene: SceneID) {
    _ = router.updateScene(scene, title: nil, isActive: true, realTimeUSec: 1)
  }

  private func deliver(_ event: Event, _ constraints: RouteConstraints) -> ShownDelivery? {
    now += 1
    let sent = router.send(event, EventOptions(constraints: constraints), from: client, now: now)
    guard case .success(.accepted(_, let effects)) = sent else { return nil }
    return shown(effects)
  }

  private func shown(_ effects: [Effect]) -> ShownDelivery? {
    for effect in effects { if case .deliver(let delivery) = effect { return delivery } }
    return nil
  }
}
