/// The place of a text in a ``TextArena``.
struct TextReference: Equatable {
  let page: Int32
  /// The start of the text in the page, in units of eight bytes.
  let unit: UInt16

  static let none = TextReference(page: -1, unit: 0)
}

/// Stores the bytes of many texts, most of them short.
///
/// The bytes are kept in pages. The texts in a page all have room of the same size, so that a new text fits into the
/// place of a removed text. A page without texts is freed. A text that is too long for the largest size has a page for
/// itself.
struct TextArena: ~Copyable, Sendable {
  /// Texts begin at multiples of 8 bytes.
  private static var unitSize: Int { 8 }
  /// 64 KiB: 16 bits are enough to number the units of a page, and ten texts of the largest size fit.
  private static var pageSize: Int { 64 << 10 }
  /// The sizes of room that a text can have, in units of eight bytes.
  ///
  /// From 3 units on, each size is at most 50 percent larger than the size before.
  ///
  /// The last size is 6 KiB. An identifier has at most 4 KiB, but folding can make it longer.
  private static let sizes = [
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
  ]

  private struct Page {
    /// The memory of the page.
    ///
    /// The array gets its full length only when the texts need it.
    var bytes: [UInt8] = []
    /// The index of the texts' size in ``sizes``; -1 for a page that is unused or has a single large text.
    var size = -1
    /// The number of units that have been used so far, counted from the start of the page.
    var filled = 0
    /// The number of texts in the page.
    var count = 0
    /// The units at which removed texts began.
    var free: [UInt16] = []
    /// Whether the page is in ``withRoom``.
    var isListed = false
  }

  private var pages: [Page] = []
  private var freePages: [Int] = []
  /// For each size, the pages that may have room for another text.
  ///
  /// A list can also have pages without such room, because only the last page of a list is checked. If the last page
  /// has no room, it is taken off the list.
  private var withRoom = [[Int]](repeating: [], count: sizes.count)
  /// The number of stored bytes.
  private(set) var byteCount = 0

  /// Calls `body` with the bytes of a stored text of `count` bytes.
  func withBytes<Result>(_ text: TextReference, count: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let start = Int(text.unit) * Self.unitSize
    let page = pages[Int(text.page)].bytes
    return body(page.span.extracting(start..<start + count))
  }

  /// Whether the stored text at `reference` equals the `count` bytes of `text` from `start` on.
  func isStored(_ text: Span<UInt8>, from start: Int, count: Int, at reference: TextReference) -> Bool {
    let first = Int(reference.unit) * Self.unitSize
    let page = pages[Int(reference.page)].bytes
    let stored = page.span.extracting(first..<first + count)
    let compared = text.extracting(start..<start + count)
    return stored.commonCount(with: compared) == count
  }

  /// One byte of a stored text.
  @inline(__always)
  func byte(_ text: TextReference, at index: Int) -> UInt8 {
    pages[Int(text.page)].bytes[Int(text.unit) * Self.unitSize + index]
  }

  /// Stores the first `count` bytes of a text.
  ///
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

  /// Removes a text of `count` bytes.
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

  /// Makes the memory of a page long enough for its used units.
  ///
  /// A page begins with a sixteenth of its memory, so that an arena with few texts stays small. If its first text
  /// needs more room, the page begins with that room. When this memory is full, the page gets the rest in one step.
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
