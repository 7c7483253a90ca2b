import Testing
import Varlink

struct FrameSplitterTests {
  /// Returns the messages of pieces that are received one after the other.
  private func split(_ pieces: [[UInt8]], _ splitter: inout FrameSplitter) throws -> [String] {
    var messages: [String] = []
    for piece in pieces {
      var offset = 0
      while let message = try splitter.nextMessage(of: piece.span, at: &offset) {
        messages.append(text(message))
      }
      #expect(offset == piece.count)
    }
    return messages
  }

  /// Returns the next message from the bytes that the splitter has kept; passes no new bytes to it.
  private func nextKept(_ splitter: inout FrameSplitter) throws -> String? {
    var offset = 0
    guard let message = try splitter.nextMessage(of: [UInt8]().span, at: &offset) else { return nil }
    return text(message)
  }

  private static let stream = Array("first\0\0second message\0third, longer than a word\0rest".utf8)
  private static let messages = ["first", "", "second message", "third, longer than a word"]

  @Test(arguments: 0...FrameSplitterTests.stream.count)
  func messagesMayBeCutAnywhere(at index: Int) throws {
    for second in index...Self.stream.count {
      var splitter = FrameSplitter()
      let pieces = [
        Array(Self.stream[..<index]), Array(Self.stream[index..<second]), Array(Self.stream[second...]),
      ]
      #expect(try split(pieces, &splitter) == Self.messages)
      #expect(splitter.isInsideMessage == true)
      #expect(try split([[0]], &splitter) == ["rest"])
      #expect(splitter.isInsideMessage == false)
    }
  }

  @Test func messagesMayComeByteByByte() throws {
    var splitter = FrameSplitter()
    #expect(try split(Self.stream.map { [$0] }, &splitter) == Self.messages)
  }

  @Test(arguments: [1, 7, 4096, 256 << 10])
  func theLimitIsWithoutTheNUL(pieceSize: Int) throws {
    let longest = [UInt8](repeating: 0x20, count: FrameSplitter.messageLimit)
    let size = max(pieceSize, longest.count / 1000)
    let pieces = stride(from: 0, to: longest.count, by: size).map {
      Array(longest[$0..<min($0 + size, longest.count)])
    }
    var splitter = FrameSplitter()
    #expect(try split(pieces, &splitter) == [])
    #expect(try split([[0]], &splitter).first?.utf8.count == longest.count)
    #expect(try split(pieces, &splitter) == [])
    #expect(throws: ProtocolViolation.messageTooLong) { try split([[0x20]], &splitter) }
  }

  @Test(arguments: 0...FrameSplitterTests.stream.count)
  func whatIsKeptComesBeforeWhatFollows(_ index: Int) throws {
    // Takes at most one message after each piece, so that the splitter has to keep the rest.
    var splitter = FrameSplitter()
    var messages: [String] = []
    for piece in [Self.stream[..<index], Self.stream[index...]] {
      splitter.keep(Array(piece).span)
      let count = splitter.keptMessageCount
      if let next = try nextKept(&splitter) {
        messages.append(next)
        #expect(splitter.keptMessageCount == count - 1)
      }
    }
    messages += try split([[]], &splitter)
    #expect(messages == Self.messages)
    #expect(splitter.keptMessageCount == 0)
    #expect(splitter.isInsideMessage == true)
    #expect(splitter.keptByteCount == 4)
    #expect(try split([[0]], &splitter) == ["rest"])
    #expect(try split([[]], &splitter) == [])
    #expect(splitter.memory == 0)
  }

  @Test func whatIsKeptMayBeTooLong() throws {
    var splitter = FrameSplitter(messageLimit: 4)
    splitter.keep(Array("1234\012345\0".utf8).span)
    #expect(try nextKept(&splitter) == "1234")
    #expect(splitter.keptMessageCount == 1)
    #expect(throws: ProtocolViolation.messageTooLong) { try split([[]], &splitter) }
  }

  @Test func aTooLongMessageInOnePieceIsRefused() throws {
    var splitter = FrameSplitter(messageLimit: 4)
    #expect(try split([Array("1234\0".utf8)], &splitter) == ["1234"])
    #expect(throws: ProtocolViolation.messageTooLong) { try split([Array("12345\0".utf8)], &splitter) }
  }

  @Test(arguments: 1...20)
  func aNULIsFoundInAnyPlace(length: Int) throws {
    // The bytes 0x01, 0x80 and 0xFF must not be mistaken for NUL.
    let message = [UInt8](repeating: 1, count: length) + [0x80, 0xFF]
    var splitter = FrameSplitter()
    let pieces = [message + [0] + message + [0]]
    #expect(
      try split(pieces, &splitter) == Array(repeating: String(decoding: message, as: UTF8.self), count: 2)
    )
  }
}
