/// An array in pages of 1024 elements; its growth moves the elements of at most one page.
///
/// A standard array moves all its elements when it doubles its memory. With a million elements, this stops everything
/// for milliseconds.
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
