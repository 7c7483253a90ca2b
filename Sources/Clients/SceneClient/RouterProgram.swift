/// The program that answers at the router's socket.
public struct RouterProgram: Sendable, Equatable {
  /// The name of the program.
  public let name: String
  /// The version of the program.
  public let version: String
  /// The id of the router's process.
  ///
  /// The id is nil if the router is reached through another program, or if the kernel does not tell the id.
  public let processID: Int32?
  /// The user of the router's process.
  ///
  /// The user is nil if the router is reached through another program, or if the kernel does not tell the user.
  public let userID: UInt32?
}
