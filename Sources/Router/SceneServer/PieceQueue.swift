import SceneRouting
import VarlinkServer

/// What concerns many at once, as whole pieces that take less than a millisecond each.
///
/// The server's loop has them done between what comes in, for a few milliseconds at a time. Ends of connections come
/// first, so that an event is decided anew only when every scene whose connection has ended has been removed. The
/// others come in order.
struct PieceQueue: ~Copyable {
  enum Piece {
    /// A connection has ended, and with it the scene or the application on it.
    case connectionEnd(ConnectionID)
    /// The next attempt at an event is to be made.
    case resume(DecisionID)
    /// An application that no connection declares is to be started.
    case start(application: String)
    /// The time of the first attempt is up; followed by itself until there is none.
    case deadline
    /// A call has yet to get the end of an event; followed by itself until there is none.
    case report(EndReport)
    /// The next part of a list, or of what a monitor is behind with.
    case part(ConnectionID)
  }

  private var connectionEnds = Queue<Piece>()
  private var others = Queue<Piece>()
  // The loop asks for both in every pass; a generic type of another module would take a thousand instructions to answer.

  /// Whether there is no piece.
  private(set) var isEmpty = true
  /// Whether the next piece is the end of a connection.
  private(set) var hasConnectionEnds = false

  /// Adds a piece after those of its kind that are there.
  mutating func append(_ piece: Piece) {
    if case .connectionEnd = piece {
      connectionEnds.append(piece)
      hasConnectionEnds = true
    } else {
      others.append(piece)
    }
    isEmpty = false
  }

  /// Takes out the next piece.
  mutating func next() -> Piece? {
    let piece = connectionEnds.popFirst() ?? others.popFirst()
    hasConnectionEnds = !connectionEnds.isEmpty
    isEmpty = connectionEnds.isEmpty && others.isEmpty
    return piece
  }
}
