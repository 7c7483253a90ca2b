import RouterInterface

/// The result of a reload of the desktop entries.
public struct Reload: Sendable, Equatable, WireRepresentable {
  let wire: Wire.ReloadCall.Reply

  init(_ wire: Wire.ReloadCall.Reply) {
    self.wire = wire
  }

  /// The number of applications that the desktop entries declare.
  public var loaded: Int64 { wire.loaded }
  /// The problems with desktop entries and with the other files of the desktop, at most a thousand; a file that the
  /// router cannot read counts, too.
  ///
  /// If the router refuses a file, the declaration that it loaded from this file earlier stays in force.
  public var problems: [Problem] { wire.problems.map(Problem.init) }

  /// A mistake in a file.
  public struct Problem: Sendable, Equatable {
    let wire: Wire.Problem

    init(_ wire: Wire.Problem) {
      self.wire = wire
    }

    /// The path of the file.
    public var path: String { wire.path }
    /// The line with the error, counted from 1.
    public var line: Int64? { wire.line }
    /// A description of the error, with advice.
    public var message: String { wire.message }
    /// Whether the router accepts the file despite the error.
    public var isWarning: Bool { wire.isWarning ?? false }
  }
}
