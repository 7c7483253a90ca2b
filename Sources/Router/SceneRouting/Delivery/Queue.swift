/// A first-in, first-out queue.
///
/// The queue has two stacks. An element is added to `later`, or to `next` if the queue is empty. When `next`
/// becomes empty, the elements of `later` move to `next` in reverse.
package struct Queue<Element> {
  /// The next elements, in reverse; empty only if the queue is empty.
  private var next: [Element] = []
  private var later: [Element] = []

  /// Makes an empty queue.
  package init() {}

  /// Whether the queue has no elements.
  package var isEmpty: Bool { next.isEmpty }

  /// The number of elements.
  package var count: Int { next.count + later.count }

  /// The element that was added first.
  package var first: Element? { next.last }

  /// Adds an element at the end.
  package mutating func append(_ element: Element) {
    if next.isEmpty { next.append(element) } else { later.append(element) }
  }

  /// Removes and returns the element that was added first.
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
