struct TextReference: Equatable {
  let page: Int32
  /// In units of eight bytes.
  let unit: UInt16

  static let none = TextReference(page: -1, unit: 0)
}

/// The texts in a page have room of the same size, so that a new text fits into the place of a removed text.
///
/// A page without texts is freed. A text that is too long for the largest size has a page for itself.
struct TextArena: ~Copyable, Sendable {
  /// In bytes, as is the size of pages; texts begin at multiples of a unit.
  private static var unitSize: Int { 8 }
  /// 16 bits are enough to number the units of a page, and ten texts of the largest size fit.
  private static var pageSize: Int { 64 << 10 }
  /// In units; from 3 on each is at most 50 percent larger, up to 6 KiB, because folding can make 4 KiB longer.
  private static let sizes = [
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
  ]

  private struct Page {
    /// Gets its full length only when the texts need it.
    var bytes: [UInt8] = []
    /// An index of ``sizes``; -1 for a page that is unused or has a single large text.
    var size = -1
    /// In units, from the start of the page.
    var filled = 0
    var count = 0
    var free: [UInt16] = []
    var isListed = false
  }

  private var pages: [Page] = []
  private var freePages: [Int] = []
  /// By size; a page without room stays until it is the last of its list.
  private var withRoom = [[Int]](repeating: [], count: sizes.count)
  private(set) var byteCount = 0

  func withBytes<Result>(_ text: TextReference, count: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let start = Int(text.unit) * Self.unitSize
    let page = pages[Int(text.page)].bytes
    return body(page.span.extracting(start..<start + count))
  }

  func isStored(_ text: Span<UInt8>, from start: Int, count: Int, at reference: TextReference) -> Bool {
    let first = Int(reference.unit) * Self.unitSize
    let page = pages[Int(reference.page)].bytes
    let stored = page.span.extracting(first..<first + count)
    let compared = text.extracting(start..<start + count)
    return stored.commonCount(with: compared) == count
  }

  @inline(__always)
  func byte(_ text: TextReference, at index: Int) -> UInt8 {
    pages[Int(text.page)].bytes[Int(text.unit) * Self.unitSize + index]
  }

  /// `count` is at least 1.
  mutating func store(_ text: Span<UInt8>, count: Int) -> TextReference {
    byteCount += count
    let reference = allocate(count)
    let start = Int(reference.unit) * Self.unitSize
    var page = pages[Int(reference.page)].bytes.mutableSpan
    let stored = text.extracting(0..<count)
    for index in 0..<count { page[start + index] = stored[index] }
    return reference
  }

  mutating func remove(_ text: TextReference, count: Int) {
    byteCount -= count
    let page = Int(text.page)
    pages[page].count -= 1
    guard pages[page].count > 0 else {
      pages[page] = Page()
      return freePages.append(page)
    }
    pages[page].free.append(text.unit)
    list(page)
  }
}

extension TextArena {
  private mutating func allocate(_ count: Int) -> TextReference {
    let units = (count + Self.unitSize - 1) / Self.unitSize
    guard let size = Self.sizes.firstIndex(where: { $0 >= units }) else {
      let page = takePage(of: -1)
      pages[page].bytes = [UInt8](repeating: 0, count: count)
      pages[page].count = 1
      return TextReference(page: Int32(page), unit: 0)
    }
    let page = pageWithRoom(of: size)
    pages[page].count += 1
    if let unit = pages[page].free.popLast() { return TextReference(page: Int32(page), unit: unit) }
    let unit = pages[page].filled
    pages[page].filled += Self.sizes[size]
    extend(page)
    return TextReference(page: Int32(page), unit: UInt16(unit))
  }

  private mutating func pageWithRoom(of size: Int) -> Int {
    while let page = withRoom[size].last {
      if pages[page].size == size {
        if !pages[page].free.isEmpty { return page }
        if (pages[page].filled + Self.sizes[size]) * Self.unitSize <= Self.pageSize { return page }
        pages[page].isListed = false
      }
      withRoom[size].removeLast()
    }
    let page = takePage(of: size)
    list(page)
    return page
  }

  private mutating func list(_ page: Int) {
    guard !pages[page].isListed else { return }
    pages[page].isListed = true
    withRoom[pages[page].size].append(page)
  }

  /// A page begins with a sixteenth of its memory, so that few texts need little, and then gets the rest in one step.
  private mutating func extend(_ page: Int) {
    let needed = pages[page].filled * Self.unitSize
    guard needed > pages[page].bytes.count else { return }
    let count = pages[page].bytes.isEmpty ? max(needed, Self.pageSize / 16) : Self.pageSize
    pages[page].bytes.reserveCapacity(count)
    pages[page].bytes.append(contentsOf: repeatElement(0, count: count - pages[page].bytes.count))
  }

  private mutating func takePage(of size: Int) -> Int {
    let page = freePages.popLast() ?? pages.count
    if page == pages.count { pages.append(Page()) }
    pages[page].size = size
    return page
  }
}
