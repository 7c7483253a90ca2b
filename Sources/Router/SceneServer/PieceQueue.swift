import SceneRouting
import VarlinkServer

/// Work that concerns many scenes, events or calls, cut into pieces of less than a millisecond each.
///
/// The server's loop runs pieces for a few milliseconds at a time between reads. Ends of connections come first, so
/// that an event is decided anew only after every scene whose connection has ended has been removed. Other pieces run
/// in order.
struct PieceQueue: ~Copyable {
  enum Piece {
    /// A connection has ended, and with it the scene or the application on the connection.
    case connectionEnd(ConnectionID)
    /// The next attempt at an event is to be made.
    case resume(DecisionID)
    /// Events that were held after a restart are to be decided; the piece repeats itself until none is left.
    case held
    /// An application that no connection declares is to be started.
    case start(application: String)
    /// The time of an attempt is up; the piece repeats itself until no attempt is late.
    case deadline
    /// A call still has to get the end of an event; the piece repeats itself until all calls have it.
    case report(EndReport)
    /// Some of the records that wait are to be written; the piece repeats itself while many wait.
    case records
    /// The next part of a list, or of a monitor's backlog, is to be reported.
    case part(ConnectionID)
  }

  private var connectionEnds = Queue<Piece>()
  private var others = Queue<Piece>()
  // The two properties below are stored because the loop reads both in every pass. Computed from the queues, which are
  // of a generic type of another module, they would take a thousand instructions.

  /// Whether the queue is empty.
  private(set) var isEmpty = true
  /// Whether the next piece is the end of a connection.
  private(set) var hasConnectionEnds = false

  /// Adds a piece behind the other pieces of its kind.
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
