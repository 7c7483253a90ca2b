/// The program that answers at the router's socket.
public struct RouterProgram: Sendable, Equatable {
  /// The name of the program.
  public let name: String
  /// The version of the program.
  public let version: String
  /// The process that answers; nil if the kernel does not know it.
  public let processID: Int32?
  /// The user of this process.
  public let userID: UInt32?
}
