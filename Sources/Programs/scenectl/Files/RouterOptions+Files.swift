import SceneClient

extension RouterOptions {
  /// - Throws: an error if the argument is neither a URL nor a file, or if it is a file and the router is on another
  ///   machine.
  func event(of file: FileArgument, mayBeNew: Bool = false) throws(FileArgumentError) -> Event {
    let target = try host == nil ? file.target(mayBeNew: mayBeNew) : file.targetOnAnotherMachine()
    return Event(
      url: target.url,
      contentType: target.type,
      line: target.position?.line,
      column: target.position?.column
    )
  }

  /// A line and a column in the argument are left out.
  ///
  /// - Throws: the errors of ``event(of:mayBeNew:)``.
  func shownURL(_ file: FileArgument) throws(FileArgumentError) -> String {
    try (host == nil ? file.target() : file.targetOnAnotherMachine()).url
  }

  /// Nil with `--host`, because the router is then on another machine.
  func variable(_ name: String) -> String? { host == nil ? Host.variable(name) : nil }
}
