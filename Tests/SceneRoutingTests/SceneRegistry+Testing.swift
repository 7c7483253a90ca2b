@testable import SceneRouting

extension SceneRegistry {
  /// The decision, however many steps it takes.
  mutating func decide(_ event: Event, _ constraints: RouteConstraints = RouteConstraints()) -> Decision? {
    var steps = Int.max
    return decide(RouteQuery(event, constraints), steps: &steps)
  }
}
