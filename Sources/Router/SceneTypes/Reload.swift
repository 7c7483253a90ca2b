/// The result of a reload of the desktop entries.
public struct Reload: Sendable, Equatable {
  /// The number of applications that the desktop entries declare.
  public let loaded: Int64
  /// The problems with desktop entries and with the other files of the desktop, at most a thousand; a file that the
  /// router cannot read counts, too.
  ///
  /// If the router refuses a file, the declaration that it loaded from this file earlier stays in force.
  public let problems: [Problem]

  package init(loaded: Int64, problems: [Problem]) {
    self.loaded = loaded
    self.problems = problems
  }

  /// A mistake in a file.
  public struct Problem: Sendable, Equatable {
    /// The path of the file.
    public let path: String
    /// The line with the error, counted from 1.
    public let line: Int64?
    /// A description of the error, with advice.
    public let message: String
    /// ``isWarning`` as it is on the wire, where nil stands for false.
    package let statedWarning: Bool?

    package init(path: String, line: Int64? = nil, message: String, statedWarning: Bool? = nil) {
      self.path = path
      self.line = line
      self.message = message
      self.statedWarning = statedWarning
    }

    /// Whether the router accepts the file despite the error.
    public var isWarning: Bool { statedWarning ?? false }
  }
}
