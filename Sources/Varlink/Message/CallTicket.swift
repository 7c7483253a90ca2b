/// A call's place in the order of one connection.
package struct CallTicket: Sendable, Equatable {
  /// Counts the calls of the connection that are answered; one that is not has the number of the next.
  package let number: UInt64
  /// Which replies the caller expects.
  package let mode: CallMode
}
