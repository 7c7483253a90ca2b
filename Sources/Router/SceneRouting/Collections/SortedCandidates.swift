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
    Swift.max(chunks.partitionIndex { $0[0].order <= candidate.order } - 1, 0)
  }

  private static func index(of candidate: Candidate, in chunk: [Candidate]) -> Int {
    chunk.partitionIndex { $0.order < candidate.order }
  }

  private static func isFound(_ candidate: Candidate, at index: Int, in chunk: [Candidate]) -> Bool {
    index < chunk.count && chunk[index].order == candidate.order
  }
}

/// An index in the registry's tables of applications and scenes, which is free again after a removal.
typealias Slot = Int32

struct Candidate: Hashable {
  /// The smallest value comes first; no two scenes and no two declarations have the same value.
  var order: Int64
  var application: Slot
  /// For a scene, its slot; for a declaration, its index among the declarations of its application.
  var index: Int32

  /// This must be the first declaration of its application.
  func advanced(by distance: Int) -> Candidate {
    Candidate(
      order: order + Int64(distance),
      application: application,
      index: index + Int32(distance)
    )
  }
}
