/// A line of a file.
package struct FileLine: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  package let path: String
  /// The number of the line, from 1.
  package let line: Int

  /// Makes a line.
  package init(path: String, line: Int) { (self.path, self.line) = (path, line) }

  /// `PATH:LINE`.
  package var description: String { "\(path):\(line)" }
}
