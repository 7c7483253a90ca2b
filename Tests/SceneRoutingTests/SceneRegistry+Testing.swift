@testable import SceneRouting

extension SceneRegistry {
  /// The decision, however many steps it takes.
  mutating func decide(
    _ event: Event,
    _ constraints: RouteConstraints = RouteConstraints(),
    tried: TriedTargets = TriedTargets()
  ) -> Decision? {
    var steps = Int.max
    return decide(RouteQuery(event, constraints, tried: tried), steps: &steps)
  }
}
