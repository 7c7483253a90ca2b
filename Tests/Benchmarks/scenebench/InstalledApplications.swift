import SceneRouting

/// A router that knows applications from files: a browser, and of ten others one that claims a host.
final class InstalledApplications {
  private var router = Router()
  private let links: [Event]

  init(count: Int) throws {
    router.registry.setFileDeclarations((0..<count).map(Self.declaration))
    let hosts = stride(from: 5, to: count, by: 10).map(Self.host)
    links = hosts.map { Event(.url("https://\($0)/room/4711?token=0123456789abcdef")) }
    for number in links.indices where decide(number) != "app\(number * 10 + 5).desktop" {
      throw BenchmarkError("A link went astray.")
    }
  }

  /// Decides where a link of one of the hosts goes, as `ExplainEvent` does without a trace.
  @discardableResult
  func decide(_ number: Int) -> String? {
    let link = links[number % links.count]
    return try? router.explain(link, RouteConstraints(), maximumSteps: 0).get().0.applicationID
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
      source: .file(path: "/usr/share/applications/\(id)", rank: 0, isTrusted: true)
    )
  }
}
