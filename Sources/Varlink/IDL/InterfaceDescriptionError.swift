/// Why a text is not an interface description, and where.
package struct InterfaceDescriptionError: Error, Equatable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// The column, in bytes, from 1.
  package let column: Int
  /// A clause that tells what is wrong.
  package let message: String

  /// A sentence that names the place and the fault.
  package var description: String { "\(line):\(column): \(message)." }
}
