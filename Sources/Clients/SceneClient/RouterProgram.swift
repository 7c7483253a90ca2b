/// The program that answers at the router's socket.
public struct RouterProgram: Sendable, Equatable {
  /// The name of the program.
  public let name: String
  /// The version of the program.
  public let version: String
  /// The id of the router's process; nil if the router is reached through another program, or if the kernel does not
  /// tell it.
  public let processID: Int32?
  /// The user of the router's process; nil if the router is reached through another program, or if the kernel does not
  /// tell it.
  public let userID: UInt32?
}
