import UnixSocket
import Varlink

/// The bytes that wait for one client to read.
///
/// The bytes are held in pieces. The memory of a piece is freed as soon as the piece has been written.
struct OutputQueue: ~Copyable {
  /// The outcome of an attempt to write the queue.
  enum Outcome {
    /// The whole queue has been written.
    case written
    /// The client has to read before more can be written.
    case blocked
    /// The client has closed the connection.
    case closed
  }

  /// The size of a piece, 64 KiB.
  ///
  /// One system call writes at most one piece, and 64 KiB are enough for one system call. Larger pieces would hold more
  /// memory, because the memory of a piece is freed only when its last byte has been written.
  private static let pieceSize = 64 << 10
  /// The memory that an empty queue keeps for the next reply, 1 KiB.
  ///
  /// Most replies fit into this memory.
  private static let keptSize = 1 << 10

  /// The queued bytes.
  ///
  /// A piece is longer than ``pieceSize`` only if a single ``append(_:)`` added all its bytes.
  private var pieces: [[UInt8]] = []
  /// The number of written bytes of the first piece.
  private var written = 0
  /// The number of bytes that have not been written yet.
  private(set) var count = 0
  private var capacity = 0

  /// The bytes of memory for the queue; the memory that an empty queue keeps does not count.
  var memory: Int { count > 0 ? capacity : 0 }

  /// Adds bytes to the end.
  mutating func append(_ bytes: Span<UInt8>) {
    var last = pieces.count - 1
    if last < 0 || !pieces[last].isEmpty && pieces[last].count + bytes.count > Self.pieceSize {
      pieces.append([])
      last += 1
    }
    capacity -= pieces[last].capacity
    let needed = pieces[last].count + bytes.count
    if needed > Self.keptSize, needed > pieces[last].capacity {
      // The piece gets up to eight times the memory that it needs now. So the bytes of a growing piece are moved to new
      // memory only a few times.
      pieces[last].reserveCapacity(max(needed, min(8 * needed, Self.pieceSize)))
    }
    pieces[last].append(contentsOf: bytes)
    capacity += pieces[last].capacity
    count += bytes.count
  }

  /// Writes as much as the socket takes.
  mutating func write(to socket: borrowing StreamSocket) throws(SocketError) -> Outcome {
    while count > 0 {
      switch try writeFirstPiece(to: socket) {
      case .wouldBlock: return .blocked
      case .closed: return .closed
      case .bytes(let taken):
        count -= taken
        written += taken
        if written == pieces[0].count { removeFirstPiece() }
      }
    }
    return .written
  }

  private func writeFirstPiece(to socket: borrowing StreamSocket) throws(SocketError)
    -> StreamSocket.WriteResult
  {
    let piece = pieces[0]
    return try socket.write(piece.span.extracting(written...))
  }

  private mutating func removeFirstPiece() {
    written = 0
    if count == 0, pieces[0].capacity <= Self.keptSize {
      pieces[0].removeAll(keepingCapacity: true)
    } else {
      capacity -= pieces[0].capacity
      pieces.removeFirst()
    }
  }
}
