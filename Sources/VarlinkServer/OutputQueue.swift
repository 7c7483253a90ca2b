import UnixSocket
import Varlink

/// The bytes that wait until one client reads them, in pieces that are given back one by one.
struct OutputQueue: ~Copyable {
  /// What became of an attempt to write the queue.
  enum Outcome {
    /// All has been written.
    case written
    /// The client has to read before more can be written.
    case blocked
    /// The client is gone.
    case closed
  }

  /// Enough for one system call, and little to hold until the last byte of it has been read.
  static let pieceSize = 64 << 10

  /// None is empty; only a reply longer than ``pieceSize`` makes one that is longer.
  private var pieces: [[UInt8]] = []
  /// How much of the first piece has been written.
  private var written = 0
  /// How many bytes are to be written.
  private(set) var count = 0
  /// Bytes of memory that the pieces take; none if the queue is empty.
  private(set) var memory = 0

  /// Adds bytes to the end.
  mutating func append(_ bytes: Span<UInt8>, _ spares: inout SparePieces) {
    var last = pieces.count - 1
    if last < 0 || pieces[last].count + bytes.count > Self.pieceSize {
      let piece = spares.take()
      memory += piece.capacity
      pieces.append(piece)
      last += 1
    }
    memory -= pieces[last].capacity
    pieces[last].append(contentsOf: bytes)
    memory += pieces[last].capacity
    count += bytes.count
  }

  /// Writes as much as there is room for.
  mutating func write(
    to socket: borrowing StreamSocket,
    _ spares: inout SparePieces
  ) throws(SocketError) -> Outcome {
    while count > 0 {
      let piece = pieces[0]
      switch try socket.write(piece.span.extracting(written...)) {
      case .wouldBlock: return .blocked
      case .closed: return .closed
      case .bytes(let taken):
        count -= taken
        written += taken
        guard written == piece.count else { continue }
        memory -= piece.capacity
        pieces.removeFirst()
        spares.put(piece)
        written = 0
      }
    }
    return .written
  }
}

/// The memory of pieces that have been written, for the next ones.
struct SparePieces: ~Copyable {
  /// Enough for most of those that are written to at once, and at most a MiB.
  private static let mostPieces = 16

  private var pieces: [[UInt8]] = []

  mutating func take() -> [UInt8] { pieces.popLast() ?? [] }

  mutating func put(_ piece: consuming [UInt8]) {
    guard pieces.count < Self.mostPieces, piece.capacity <= OutputQueue.pieceSize else { return }
    piece.removeAll(keepingCapacity: true)
    pieces.append(piece)
  }
}
