/// When `next` becomes empty, the elements of `later` move to it in reverse.
package struct Queue<Element> {
  /// In reverse; empty only if the queue is empty.
  private var next: [Element] = []
  private var later: [Element] = []

  package init() {}

  package var isEmpty: Bool { next.isEmpty }

  package var count: Int { next.count + later.count }

  package var first: Element? { next.last }

  package mutating func append(_ element: Element) {
    if next.isEmpty { next.append(element) } else { later.append(element) }
  }

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
