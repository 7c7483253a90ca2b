/// All parts of a text, so that it takes as many steps as another text has bytes to tell whether it is one of them.
///
/// The smallest automaton that accepts them (Blumer, Blumer, Haussler, Ehrenfeucht, Chen and Seiferas, 1985), made
/// byte by byte: it has at most twice as many states as the text has bytes, and three times as many edges.
struct SuffixAutomaton {
  /// Parts that end at the same places of the text, each the end of the next longer one.
  private struct State {
    /// How long the longest of them is.
    var length: Int32
    /// Where the first of the places is.
    var firstEnd: Int32
    /// The state of the longest end of them that occurs at more places; -1 for that of the empty text.
    var link: Int32 = -1
    /// The first of its edges, or -1.
    var edge: Int32 = -1
  }

  /// The way from the parts of one state to those with one more byte.
  private struct Edge {
    let source: Int32
    var target: Int32
    /// The next edge of the same state, or -1.
    let next: Int32
    let byte: UInt8
  }

  private var states = [State(length: 0, firstEnd: 0)]
  private var edges: [Edge] = []
  /// The numbers of the edges plus one, each in the first free place from that of its state and byte on; 0 for none.
  private var edgePlaces: [Int32]
  private let multiplier: UInt64
  /// The state of the whole text.
  private var whole: Int32 = 0

  /// The automaton of an empty text that will have so many bytes.
  ///
  /// `seed` keeps others from making up texts that take long.
  init(capacity: Int, seed: UInt64) {
    multiplier = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    // Half of the places stay free at least.
    var placeCount = 16
    while placeCount < 6 * capacity { placeCount *= 2 }
    edgePlaces = Array(repeating: 0, count: placeCount)
    states.reserveCapacity(2 * capacity + 1)
    edges.reserveCapacity(3 * capacity)
  }

  /// How many bytes the text has.
  var count: Int { Int(states[Int(whole)].length) }

  /// Lengthens the text by a byte.
  mutating func append(_ byte: UInt8) {
    let length = states[Int(whole)].length + 1
    let longer = addState(State(length: length, firstEnd: length))
    var state = whole
    whole = longer
    while state >= 0, edge(of: state, byte) == nil {
      addEdge(from: state, byte, to: longer)
      state = states[Int(state)].link
    }
    guard state >= 0, let edge = edge(of: state, byte) else { return states[Int(longer)].link = 0 }
    let target = edges[Int(edge)].target
    guard states[Int(target)].length > states[Int(state)].length + 1 else {
      return states[Int(longer)].link = target
    }
    let shorter = split(target, below: states[Int(state)].length + 2)
    states[Int(longer)].link = shorter
    while state >= 0, let edge = self.edge(of: state, byte), edges[Int(edge)].target == target {
      edges[Int(edge)].target = shorter
      state = states[Int(state)].link
    }
  }

  /// Where the text first contains another that is not empty.
  func firstOccurrence(of part: Span<UInt8>) -> Range<Int>? {
    var state: Int32 = 0
    for index in part.indices {
      guard let edge = edge(of: state, part[index]) else { return nil }
      state = edges[Int(edge)].target
    }
    let end = Int(states[Int(state)].firstEnd)
    return end - part.count..<end
  }
}

extension SuffixAutomaton {
  private func edge(of state: Int32, _ byte: UInt8) -> Int32? {
    let number = edgePlaces[place(of: state, byte)]
    return number > 0 ? number - 1 : nil
  }

  /// Where the edge is that goes on with a byte, or where it would have to be.
  private func place(of state: Int32, _ byte: UInt8) -> Int {
    // The upper bits of a product depend on all bits of both.
    let mixed = (UInt64(UInt32(bitPattern: state)) << 8 | UInt64(byte)) &* multiplier
    var place = Int(truncatingIfNeeded: mixed >> 32) & (edgePlaces.count - 1)
    while edgePlaces[place] > 0 {
      let edge = edges[Int(edgePlaces[place]) - 1]
      if edge.source == state, edge.byte == byte { break }
      place = (place + 1) & (edgePlaces.count - 1)
    }
    return place
  }

  private mutating func addState(_ state: State) -> Int32 {
    states.append(state)
    return Int32(states.count - 1)
  }

  private mutating func addEdge(from state: Int32, _ byte: UInt8, to target: Int32) {
    edges.append(Edge(source: state, target: target, next: states[Int(state)].edge, byte: byte))
    states[Int(state)].edge = Int32(edges.count - 1)
    edgePlaces[place(of: state, byte)] = Int32(edges.count)
  }

  /// Gives the parts of a state that are shorter than `length` a state of their own, with the same edges.
  private mutating func split(_ state: Int32, below length: Int32) -> Int32 {
    var shorter = states[Int(state)]
    shorter.length = length - 1
    var edge = shorter.edge
    shorter.edge = -1
    let new = addState(shorter)
    while edge >= 0 {
      addEdge(from: new, edges[Int(edge)].byte, to: edges[Int(edge)].target)
      edge = edges[Int(edge)].next
    }
    states[Int(state)].link = new
    return new
  }
}
