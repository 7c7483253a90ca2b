/// What a caller expects in return: at most one of the three flags of a call.
package enum CallMode: Sendable {
  /// One reply.
  case plain
  /// Any number of replies that continue, then one that does not.
  case more
  /// No reply, not even an error.
  case oneway
  /// One reply, after which the connection is no longer Varlink. This service always answers with an error.
  case upgrade
}
