/// Pages of 1024 elements, so that growth moves one page at most.
///
/// A standard array with a million elements would stop everything for milliseconds to move them all.
struct PagedArray<Element: BitwiseCopyable & Sendable>: ~Copyable, Sendable {
  private static var shift: Int { 10 }
  private static var mask: Int { (1 << shift) - 1 }

  private var pages: [[Element]] = []
  private(set) var count = 0

  subscript(index: Int) -> Element {
    @inline(__always) get { pages[index >> Self.shift][index & Self.mask] }
    @inline(__always) _modify { yield &pages[index >> Self.shift][index & Self.mask] }
  }

  mutating func append(_ element: Element) {
    if count & Self.mask == 0 {
      pages.append([])
      // The first page grows step by step, so that a small table stays small.
      if count > 0 { pages[pages.count - 1].reserveCapacity(1 << Self.shift) }
    }
    pages[pages.count - 1].append(element)
    count += 1
  }
}
