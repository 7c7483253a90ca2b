import SceneClient

extension RouterOptions {
  /// Returns the event to send for an argument.
  ///
  /// - Parameters:
  ///   - file: The argument.
  ///   - mayBeNew: Whether the argument may also be a file that is not there yet.
  /// - Returns: The event, with the type of the file.
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

  /// Returns the URL of a file or page that a scene shows; a line and a column in the argument are left out.
  ///
  /// - Throws: an error if the argument is neither a URL nor a file, or if it is a file and the router is on another
  ///   machine.
  func shownURL(_ file: FileArgument) throws(FileArgumentError) -> String {
    try (host == nil ? file.target() : file.targetOnAnotherMachine()).url
  }

  /// Returns an environment variable; nil with `--host`, because the router is then on another machine.
  func variable(_ name: String) -> String? { host == nil ? Host.variable(name) : nil }
}
