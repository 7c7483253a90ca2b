/// Why a text is not an interface description, and where.
public struct InterfaceDescriptionError: Error, Equatable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column, in bytes, from 1.
  public let column: Int
  /// What is wrong, as a clause.
  public let message: String

  /// The place and the fault, as a sentence.
  public var description: String { "\(line):\(column): \(message)." }
}
