@testable import SceneRouting

extension SceneRegistry {
  mutating func decide(
    _ event: Event,
    _ constraints: RouteConstraints = RouteConstraints(),
    tried: TriedTargets = TriedTargets()
  ) -> Decision {
    decide(RouteQuery(event, constraints, tried: tried))
  }
}
