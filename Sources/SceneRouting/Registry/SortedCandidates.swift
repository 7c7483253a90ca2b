/// Candidates in their order.
///
/// Kept in chunks, so that one more or less among thousands moves a few hundred at most.
struct SortedCandidates {
  /// 256 of 24 bytes are moved in a fraction of a microsecond.
  private static var chunkSize: Int { 256 }

  /// Sorted by order, then by part; no chunk is empty.
  private var chunks: [[Candidate]] = []

  var isEmpty: Bool { chunks.isEmpty }

  /// The first of all.
  var first: Candidate? { chunks.first?.first }

  /// Adds a candidate; returns false if it was there.
  @discardableResult
  mutating func insert(_ candidate: Candidate) -> Bool {
    guard !chunks.isEmpty else {
      chunks = [[candidate]]
      return true
    }
    let chunk = self.chunk(of: candidate)
    let index = Self.index(of: candidate, in: chunks[chunk])
    if index < chunks[chunk].count, chunks[chunk][index].hasSamePlace(as: candidate) { return false }
    chunks[chunk].insert(candidate, at: index)
    guard chunks[chunk].count > Self.chunkSize else { return true }
    chunks.insert(Array(chunks[chunk][(Self.chunkSize / 2)...]), at: chunk + 1)
    chunks[chunk].removeLast(chunks[chunk].count - Self.chunkSize / 2)
    return true
  }

  /// Takes out a candidate; returns false if it was not there.
  @discardableResult
  mutating func remove(_ candidate: Candidate) -> Bool {
    guard !chunks.isEmpty else { return false }
    let chunk = self.chunk(of: candidate)
    let index = Self.index(of: candidate, in: chunks[chunk])
    guard index < chunks[chunk].count, chunks[chunk][index].hasSamePlace(as: candidate) else {
      return false
    }
    chunks[chunk].remove(at: index)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    return true
  }

  /// Calls `body` with each candidate, in their order.
  func forEach(_ body: (Candidate) -> Void) {
    for chunk in chunks { chunk.forEach(body) }
  }

  /// The first of all, or of those after a place.
  func first(after place: Candidate?) -> Candidate? {
    guard let place, !chunks.isEmpty else { return first }
    let chunk = self.chunk(of: place)
    var index = Self.index(of: place, in: chunks[chunk])
    if index < chunks[chunk].count, chunks[chunk][index].hasSamePlace(as: place) { index += 1 }
    if index < chunks[chunk].count { return chunks[chunk][index] }
    return chunk + 1 < chunks.count ? chunks[chunk + 1][0] : nil
  }

  /// The last chunk that does not begin after the candidate's place, or the first.
  private func chunk(of candidate: Candidate) -> Int {
    var low = 0
    var high = chunks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if candidate.precedes(chunks[middle][0]) { high = middle } else { low = middle }
    }
    return low
  }

  private static func index(of candidate: Candidate, in chunk: [Candidate]) -> Int {
    var low = 0
    var high = chunk.count
    while low < high {
      let middle = (low + high) / 2
      if chunk[middle].precedes(candidate) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
