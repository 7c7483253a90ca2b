import Testing

@testable import SceneServer
@testable import VarlinkServer

@Suite struct PieceQueueTests {
  @Test func endsOfConnectionsComeFirst() {
    var pieces = PieceQueue()
    pieces.append(.held)
    for number in 1...2 { pieces.append(.connectionEnd(ConnectionID(rawValue: UInt64(number)))) }
    pieces.append(.records)
    var areEnds: [Bool] = []
    while let piece = pieces.next() {
      if case .connectionEnd = piece { areEnds.append(true) } else { areEnds.append(false) }
    }
    #expect(areEnds == [true, true, false, false])
  }
}
