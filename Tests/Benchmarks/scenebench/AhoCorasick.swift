/// The textbook Aho-Corasick automaton, which searches a text for a fixed set of lower-case ASCII identifiers.
///
/// The automaton cannot change, unlike the router's index. The benchmark compares the two. Each state has one dense row
/// of transitions, with a column for each byte that occurs in an identifier.
struct AhoCorasick {
  private var transitions: [Int32]
  private var isEnd: [Bool] = [false]
  /// The column of each byte; 0 for bytes that occur in no identifier.
  private var columns = [Int32](repeating: 0, count: 256)
  private let width: Int

  /// The memory of the transitions, in bytes.
  var size: Int { transitions.count * MemoryLayout<Int32>.stride }

  init(_ identifiers: [[UInt8]]) {
    var width: Int32 = 1
    for byte in identifiers.joined() where columns[Int(byte)] == 0 {
      columns[Int(byte)] = width
      width += 1
    }
    // Upper-case letters use the columns of lower-case letters, so the search need not change the text to lower case.
    for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { columns[Int(byte)] = columns[Int(byte | 0x20)] }
    self.width = Int(width)
    transitions = [Int32](repeating: -1, count: self.width)
    for identifier in identifiers { insert(identifier) }
    link()
  }

  private mutating func insert(_ identifier: [UInt8]) {
    var state = 0
    for byte in identifier {
      let place = state * width + Int(columns[Int(byte)])
      if transitions[place] < 0 {
        transitions[place] = Int32(isEnd.count)
        isEnd.append(false)
        transitions += repeatElement(-1, count: width)
      }
      state = Int(transitions[place])
    }
    isEnd[state] = true
  }

  /// Turns the tree of all identifiers into an automaton, breadth first.
  ///
  /// A state's missing transitions come from the state of its longest proper suffix.
  private mutating func link() {
    var suffixes = [Int32](repeating: 0, count: isEnd.count)
    var queue: [Int] = []
    queue.reserveCapacity(isEnd.count)
    for column in 0..<width {
      if transitions[column] < 0 { transitions[column] = 0 } else { queue.append(Int(transitions[column])) }
    }
    var next = 0
    while next < queue.count {
      let state = queue[next]
      next += 1
      let suffix = Int(suffixes[state])
      if isEnd[suffix] { isEnd[state] = true }
      for column in 0..<width {
        let target = transitions[state * width + column]
        let fallback = transitions[suffix * width + column]
        if target < 0 {
          transitions[state * width + column] = fallback
        } else {
          suffixes[Int(target)] = fallback
          queue.append(Int(target))
        }
      }
    }
  }

  /// Returns the number of positions of the text at which an identifier ends.
  func matches(in text: [UInt8]) -> Int {
    var state = 0
    var count = 0
    for byte in text {
      state = Int(transitions[state * width + Int(columns[Int(byte)])])
      if isEnd[state] { count += 1 }
    }
    return count
  }
}
