import UnixSocket
import Varlink

struct OutputQueue: ~Copyable {
  enum Outcome {
    case written
    case blocked
    case closed
  }

  /// As much as one system call writes; larger pieces would hold more memory, which is freed piece by piece.
  private static let pieceSize = 64 << 10
  private static let keptSize = 1 << 10
  private var pieces: [[UInt8]] = []
  private var written = 0
  private(set) var count = 0
  private var capacity = 0

  var memory: Int { count > 0 ? capacity : 0 }

  mutating func append(_ bytes: Span<UInt8>) {
    var last = pieces.count - 1
    if last < 0 || !pieces[last].isEmpty && pieces[last].count + bytes.count > Self.pieceSize {
      pieces.append([])
      last += 1
    }
    capacity -= pieces[last].capacity
    let needed = pieces[last].count + bytes.count
    if needed > Self.keptSize, needed > pieces[last].capacity {
      // Up to eight times the needed memory, so that a growing piece is moved only a few times.
      pieces[last].reserveCapacity(max(needed, min(8 * needed, Self.pieceSize)))
    }
    pieces[last].append(contentsOf: bytes)
    capacity += pieces[last].capacity
    count += bytes.count
  }

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
