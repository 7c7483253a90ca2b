import SceneRouting
import VarlinkServer

/// A queue of pieces of work; each piece takes less than a millisecond.
///
/// Work that concerns many scenes, events or calls is cut into pieces. The server's loop runs pieces for a few
/// milliseconds at a time between reads. Ends of connections come first. So the scenes of all ended connections are
/// removed before an event gets its next decision. Other pieces run in the order of their arrival.
struct PieceQueue: ~Copyable {
  enum Piece {
    /// A connection has ended, and with it the scene or the application on the connection.
    case connectionEnd(ConnectionID)
    /// The next attempt at an event is to be made.
    case resume(DecisionID)
    /// Events held after a restart are to be decided; the piece repeats itself until no held event is left.
    case held
    /// An application that no connection declares is to be started.
    case start(application: String)
    /// An attempt has passed its deadline; the piece repeats itself until no attempt is past its deadline.
    case deadline
    /// The end of an event is to be reported to a call; the piece repeats itself until no waiting call is left.
    case report(EndReport)
    /// Some waiting records are to be written; the piece repeats itself while many records wait.
    case records
    /// The next part of a list, or of a monitor's backlog, is to be reported.
    case part(ConnectionID)
  }

  private var connectionEnds = Queue<Piece>()
  private var others = Queue<Piece>()
  // The two properties below are stored, because the server's loop reads them in every pass. Computing a property from
  // the queues would take a thousand instructions, because the generic type of the queues is in another module.

  /// Whether the queue is empty.
  private(set) var isEmpty = true
  /// Whether the next piece is the end of a connection.
  private(set) var hasConnectionEnds = false

  /// Adds a piece.
  ///
  /// Ends of connections are taken out before all other pieces, in the order in which they were added.
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
