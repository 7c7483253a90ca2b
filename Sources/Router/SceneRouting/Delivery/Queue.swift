/// First in, first out.
///
/// Two stacks: elements are added to one; when the other is empty, it takes them over in reverse.
package struct Queue<Element> {
  /// The next elements, in reverse; empty only if the queue is.
  private var next: [Element] = []
  private var later: [Element] = []

  /// An empty queue.
  package init() {}

  /// Whether there is nothing in it.
  package var isEmpty: Bool { next.isEmpty }

  /// How many elements there are.
  package var count: Int { next.count + later.count }

  /// The one that came first.
  package var first: Element? { next.last }

  /// Adds one at the end.
  package mutating func append(_ element: Element) {
    if next.isEmpty { next.append(element) } else { later.append(element) }
  }

  /// Takes out the one that came first.
  package mutating func popFirst() -> Element? {
    let first = next.popLast()
    if next.isEmpty, !later.isEmpty {
      swap(&next, &later)
      next.reverse()
    }
    return first
  }
}

extension Queue: Sendable where Element: Sendable {}
