/// What is to be done, first come, first served.
///
/// What is first can be changed in place, and is moved out of the queue. However much waits, no more than one in as
/// many calls of ``removeFirst()`` takes longer for it.
package struct WorkQueue<Element> {
  /// The next ones, the first of which is the last here; none only if none waits.
  private var next: [Element] = []
  private var later: [Element] = []

  /// A queue with nothing in it.
  package init() {}

  /// Whether nothing waits.
  package var isEmpty: Bool { next.isEmpty }

  /// The one that has waited longest; there must be one.
  package var first: Element {
    _read { yield next[next.count - 1] }
    _modify { yield &next[next.count - 1] }
  }

  /// Lets one wait until those before it are done.
  package mutating func append(_ element: Element) {
    if next.isEmpty { next.append(element) } else { later.append(element) }
  }

  /// Takes the one that has waited longest; there must be one.
  package mutating func removeFirst() -> Element {
    let first = next.removeLast()
    if next.isEmpty {
      swap(&next, &later)
      next.reverse()
    }
    return first
  }
}

extension WorkQueue: Sendable where Element: Sendable {}
