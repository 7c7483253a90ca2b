/// Candidates in their order.
///
/// The candidates are kept in chunks, so that a change among thousands of candidates moves few of them.
struct SortedCandidates: Sequence {
  /// The greatest number of candidates in a chunk.
  ///
  /// An insertion moves the candidates of one chunk, and sometimes the chunks themselves. 16,384 candidates fill
  /// 256 chunks of 64 candidates. Moving the 64 candidates and moving the 256 chunks each take some twenty nanoseconds.
  private static var chunkSize: Int { 64 }

  /// The candidates in chunks, sorted by ``Candidate/order``; no chunk is empty.
  private var chunks: [[Candidate]] = []

  var isEmpty: Bool { chunks.isEmpty }

  /// The first candidate.
  var first: Candidate? { chunks.first?.first }

  func makeIterator() -> some IteratorProtocol<Candidate> { chunks.joined().makeIterator() }

  /// The first accepted candidate.
  @inline(__always)
  func first(where isAccepted: (Candidate) -> Bool) -> Candidate? {
    // The loops use no iterator over all chunks. There are nearly always few candidates, and making the iterator takes
    // longer than searching the candidates.
    for chunk in chunks {
      for candidate in chunk where isAccepted(candidate) { return candidate }
    }
    return nil
  }

  /// The first accepted declaration of one application.
  ///
  /// `start` is the place of the application's first declaration.
  ///
  /// The declarations of an application follow one another, so the search looks at no other application's declarations.
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

  /// Whether the candidate is in the collection.
  func contains(_ candidate: Candidate) -> Bool {
    guard !chunks.isEmpty else { return false }
    let chunk = chunk(of: candidate)
    return Self.isFound(candidate, at: Self.index(of: candidate, in: chunks[chunk]), in: chunks[chunk])
  }

  /// Adds a candidate.
  ///
  /// Changes nothing if it is there already.
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

  /// Removes a candidate.
  ///
  /// Returns false if it is not there.
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

  /// The chunk that has the candidate, or in which the candidate would be inserted.
  ///
  /// This is the last chunk that begins at or before the candidate's place. If all chunks begin after that place, the
  /// first chunk is returned.
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
