/// The scenes and applications that were registered at one moment.
///
/// A large snapshot comes in several parts, each a value of this type.
public struct RegistrySnapshot: Sendable, Equatable {
  /// The open scenes.
  public let scenes: [SceneDescription]
  /// The declared applications.
  public let applications: [ApplicationDescription]
  /// The generation of the router's registry when the snapshot was taken.
  public let generation: Int64
  /// Whether this part is the last one; if not, the next change is another part of the same snapshot.
  public let isComplete: Bool

  package init(
    scenes: [SceneDescription],
    applications: [ApplicationDescription],
    generation: Int64,
    isComplete: Bool
  ) {
    self.scenes = scenes
    self.applications = applications
    self.generation = generation
    self.isComplete = isComplete
  }
}
