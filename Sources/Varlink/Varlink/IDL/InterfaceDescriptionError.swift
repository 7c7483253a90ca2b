/// The first fault in the text of an interface description, with the position of the fault.
public struct InterfaceDescriptionError: Error, Equatable, CustomStringConvertible {
  /// The line of the fault, counted from 1.
  public let line: Int
  /// The column of the fault in bytes, counted from 1.
  public let column: Int
  /// A clause that describes the fault.
  public let message: String

  /// A sentence with the position and the fault.
  public var description: String { "\(line):\(column): \(message)." }
}
