/// The first fault of a text that is not an interface description, with its position.
public struct InterfaceDescriptionError: Error, Equatable, CustomStringConvertible {
  /// The line of the fault, counted from 1.
  public let line: Int
  /// The column of the fault in bytes, counted from 1.
  public let column: Int
  /// The fault, as a clause.
  public let message: String

  /// The position and the fault, as a sentence.
  public var description: String { "\(line):\(column): \(message)." }
}
