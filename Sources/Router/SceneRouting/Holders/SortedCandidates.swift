/// In chunks, so that a change among thousands of candidates moves few of them.
struct SortedCandidates: Sequence {
  /// For 16,384 candidates, moving those of a chunk and moving the chunks each take some twenty nanoseconds.
  private static var chunkSize: Int { 64 }

  /// Sorted by ``Candidate/order``; no chunk is empty.
  private var chunks: [[Candidate]] = []

  var isEmpty: Bool { chunks.isEmpty }

  var first: Candidate? { chunks.first?.first }

  func makeIterator() -> some IteratorProtocol<Candidate> { chunks.joined().makeIterator() }

  @inline(__always)
  func first(where isAccepted: (Candidate) -> Bool) -> Candidate? {
    // There are nearly always few candidates, and an iterator over all chunks would take longer than they do.
    for chunk in chunks {
      for candidate in chunk where isAccepted(candidate) { return candidate }
    }
    return nil
  }

  /// For the application whose first declaration is `start`; its declarations follow one another.
  @inline(__always)
  func first(from start: Candidate, where isAccepted: (Candidate) -> Bool) -> Candidate? {
    guard !chunks.isEmpty else { return nil }
    var chunk = chunk(of: start)
    var index = Self.index(of: start, in: chunks[chunk])
    while chunk < chunks.count {
      for candidate in chunks[chunk][index...] {
        guard candidate.application == start.application else { return nil }
        if isAccepted(candidate) { return candidate }
      }
      (chunk, index) = (chunk + 1, 0)
    }
    return nil
  }

  func contains(_ candidate: Candidate) -> Bool {
    guard !chunks.isEmpty else { return false }
    let chunk = chunk(of: candidate)
    return Self.isFound(candidate, at: Self.index(of: candidate, in: chunks[chunk]), in: chunks[chunk])
  }

  mutating func insert(_ candidate: Candidate) {
    guard !chunks.isEmpty else { return chunks = [[candidate]] }
    let chunk = chunk(of: candidate)
    let index = Self.index(of: candidate, in: chunks[chunk])
    guard !Self.isFound(candidate, at: index, in: chunks[chunk]) else { return }
    chunks[chunk].insert(candidate, at: index)
    guard chunks[chunk].count > Self.chunkSize else { return }
    chunks.insert(Array(chunks[chunk][(Self.chunkSize / 2)...]), at: chunk + 1)
    chunks[chunk].removeLast(chunks[chunk].count - Self.chunkSize / 2)
  }

  @discardableResult
  mutating func remove(_ candidate: Candidate) -> Bool {
    guard !chunks.isEmpty else { return false }
    let chunk = chunk(of: candidate)
    let index = Self.index(of: candidate, in: chunks[chunk])
    guard Self.isFound(candidate, at: index, in: chunks[chunk]) else { return false }
    chunks[chunk].remove(at: index)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    return true
  }

  /// The last chunk that begins at or before the candidate's place, or else the first one.
  private func chunk(of candidate: Candidate) -> Int {
    var low = 0
    var high = chunks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if candidate.order < chunks[middle][0].order { high = middle } else { low = middle }
    }
    return low
  }

  private static func index(of candidate: Candidate, in chunk: [Candidate]) -> Int {
    var low = 0
    var high = chunk.count
    while low < high {
      let middle = (low + high) / 2
      if chunk[middle].order < candidate.order { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func isFound(_ candidate: Candidate, at index: Int, in chunk: [Candidate]) -> Bool {
    index < chunk.count && chunk[index].order == candidate.order
  }
}
