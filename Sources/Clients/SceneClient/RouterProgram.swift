/// The program that answers at the router's socket.
public struct RouterProgram: Sendable, Equatable {
  /// The name of the program.
  public let name: String
  /// The version of the program.
  public let version: String
  /// The process that answers; nil if the kernel does not know this process.
  public let processID: Int32?
  /// The user of the process that answers.
  public let userID: UInt32?
}
