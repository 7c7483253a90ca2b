/// Why a text is not an interface description, and where.
package struct InterfaceDescriptionError: Error, Equatable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The column, in bytes, from 1.
  package let column: Int
  /// What is wrong, as a clause.
  package let message: String

  /// The place and the fault, as a sentence.
  package var description: String { "\(line):\(column): \(message)." }
}
