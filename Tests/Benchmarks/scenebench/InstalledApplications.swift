import SceneRouting

/// A router with the declarations of installed applications.
///
/// The first application claims `http` and `https`, as browsers do. One application in ten claims a host.
final class InstalledApplications {
  private var router = Router()
  private let client = Client(user: UserID(rawValue: 1))
  private let links: [Event]

  init(count: Int) throws {
    router.registry.setFileDeclarations((0..<count).map(Self.declaration))
    let hosts = stride(from: 5, to: count, by: 10).map(Self.host)
    links = hosts.map { Event(.url("https://\($0)/room/4711?token=0123456789abcdef")) }
    for (number, link) in links.enumerated() {
      let explained = router.explain(link, RouteConstraints(), maximumSteps: 0)
      guard (try? explained.get())?.0.applicationID == "app\(number * 10 + 5)" else {
        throw BenchmarkError("A link went astray.")
      }
    }
  }

  /// Lets the router decide on a link to a host that an application claims.
  ///
  /// The router finds no target, because no scene is open and the event allows no new scene.
  func decide(_ number: Int) {
    let options = EventOptions(constraints: RouteConstraints(allowsNewScene: false))
    _ = router.send(links[number % links.count], options, from: client, now: 1)
  }

  private static func host(_ number: Int) -> String { "meet\(number).example.org" }

  private static func declaration(_ number: Int) -> ApplicationDeclaration {
    let id = "app\(number).desktop"
    let claims =
      if number == 0 {
        Claims(schemes: ["http", "https"])
      } else if number % 10 == 5 {
        Claims(hosts: [host(number)])
      } else {
        Claims(schemes: ["scheme\(number)"])
      }
    return ApplicationDeclaration(
      applicationID: id,
      scenes: [SceneDeclaration(id: "main")],
      claims: claims,
      source: .file(path: "/usr/share/applications/\(id)", desktopID: id, isTrusted: true)
    )
  }
}
