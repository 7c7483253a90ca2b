package struct FileLine: Hashable, Sendable, CustomStringConvertible {
  package let path: String
  package let line: Int

  package init(path: String, line: Int) { (self.path, self.line) = (path, line) }

  package var description: String { "\(path):\(line)" }
}
