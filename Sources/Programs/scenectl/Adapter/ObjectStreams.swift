import Dispatch
import SystemPackage
import Varlink

/// A program's objects at standard input and output.
extension ObjectFraming {
  /// Standard input is read on a thread of its own, because reading waits.
  func readInput() -> Adapter.Input<ObjectSplitter.Part> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: ObjectSplitter.Part.self)
    DispatchQueue(label: "io.scened.adapter").async {
      var splitter = ObjectSplitter(self)
      // One page: most objects are smaller, and an adapter should need little memory.
      var buffer = [UInt8](repeating: 0, count: 4096)
      while let count = try? StandardStreams.read(into: &buffer), count > 0 {
        splitter.append(buffer[..<count])
        while let part = splitter.next() { continuation.yield(part) }
      }
      continuation.finish()
    }
    return (stream, continuation)
  }

  func write(_ reply: AdapterReply) {
    let object = Array(reply.text(longest: longestOut).utf8)
    do {
      try StandardStreams.writeAll(framed(object).span)
    } catch {
      Scenectl.end(with: OutputError(code: (error as? Errno)?.rawValue ?? 0))
    }
  }
}

extension AdapterRequest {
  init(_ part: ObjectSplitter.Part, _ document: inout JSONDocument) throws(AdapterError) {
    guard case .object(let bytes) = part else {
      throw AdapterError(nil, "The object is longer than \(ObjectFraming.longestIn) bytes.")
    }
    try self.init(bytes, &document)
  }
}
