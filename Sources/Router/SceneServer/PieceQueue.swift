import SceneRouting
import VarlinkServer

/// Each piece takes less than a millisecond; the server's loop runs pieces for a few milliseconds between reads.
///
/// Ends of connections come first, so that the scenes of all ended connections are removed before an event gets its
/// next decision. Other pieces run in the order of their arrival.
struct PieceQueue: ~Copyable {
  enum Piece {
    case connectionEnd(ConnectionID)
    case resume(DecisionID)
    /// Repeats itself until no held event is left.
    case held
    case start(application: String)
    /// Repeats itself until no attempt is past its deadline.
    case deadline
    /// Repeats itself until no waiting call is left.
    case report(EndReport)
    /// Repeats itself while many records wait.
    case records
    /// Of a list, or of a monitor's backlog.
    case part(ConnectionID)
  }

  private var connectionEnds = Queue<Piece>()
  private var others = Queue<Piece>()
  // Stored, because the loop reads both in every pass. Computed from the queues, whose generic type is in another
  // module, they would take a thousand instructions.

  private(set) var isEmpty = true
  private(set) var hasConnectionEnds = false

  mutating func append(_ piece: Piece) {
    if case .connectionEnd = piece {
      connectionEnds.append(piece)
      hasConnectionEnds = true
    } else {
      others.append(piece)
    }
    isEmpty = false
  }

  mutating func next() -> Piece? {
    let piece = connectionEnds.popFirst() ?? others.popFirst()
    hasConnectionEnds = !connectionEnds.isEmpty
    isEmpty = connectionEnds.isEmpty && others.isEmpty
    return piece
  }
}
