import SceneRouting
import VarlinkServer

/// Work that concerns many scenes, events or calls, cut into pieces of less than a millisecond each.
///
/// The server's loop runs pieces for a few milliseconds at a time between reads. Ends of connections come first. So the
/// scenes of all ended connections are removed before any event is decided anew. Other pieces run in order.
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
    /// An attempt has passed its deadline; the piece repeats itself until no such attempt is left.
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
  // The two properties below are stored, because the loop reads both of them in every pass. To compute them from the
  // queues would take a thousand instructions, because the generic type of the queues is in another module.

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
