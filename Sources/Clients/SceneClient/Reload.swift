import RouterInterface

/// What came of reading the desktop entries again.
public struct Reload: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Reload.Reply

  init(_ wire: Wire.Reload.Reply) {
    self.wire = wire
  }

  /// How many applications they declare.
  public var loaded: Int64 { wire.loaded }
  /// The files that could not be taken, a thousand at most; what was loaded from them before stays in force.
  public var problems: [Problem] { wire.problems.map(Problem.init) }

  /// A file that could not be taken.
  public struct Problem: Sendable, Equatable {
    let wire: Wire.Problem

    init(_ wire: Wire.Problem) {
      self.wire = wire
    }

    /// Where it is.
    public var path: String { wire.path }
    /// The line that is wrong, counted from 1.
    public var line: Int64? { wire.line }
    /// What is wrong, and what to do about it.
    public var message: String { wire.message }
  }
}
