/// Where a text is stored in a ``TextArena``.
struct TextReference: Equatable {
  let page: Int32
  /// Where in the page it begins, in units of the arena.
  let unit: UInt16

  static let none = TextReference(page: -1, unit: 0)
}

/// The bytes of many texts, most of them short.
///
/// A page holds texts of one size class, so that the room of a removed one fits the next; an empty page is freed. A
/// text larger than the largest class has a page for itself.
struct TextArena {
  /// Texts begin at multiples of 8 bytes.
  private static var unitSize: Int { 8 }
  /// 64 KiB: a unit of a page is named by 16 bits with room to spare, and ten of the largest class fit.
  private static var pageSize: Int { 64 << 10 }
  /// Sizes in units, each at most half as large again as the one before.
  ///
  /// The last is 6 KiB: an identifier may have 4 KiB, and be longer when it is folded.
  private static let classes = [
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
  ]

  private struct Page {
    /// Whole, or the beginning that has been needed.
    var bytes: [UInt8] = []
    /// How many bytes from the start on have been used.
    var filled = 0
    /// `nil` for a page with one large text.
    var sizeClass: Int?
    var used = 0
    /// Units that were freed, each naming the next in its first two bytes.
    var firstFree = Page.noUnit
    /// The pages of the same class that have room, as a list in both directions.
    var nextWithRoom = Page.noPage
    var previousWithRoom = Page.noPage

    static let noUnit = 0xFFFF
    static let noPage = -1
  }

  private var pages: [Page] = []
  private var freePages: [Int] = []
  private var firstWithRoom = [Int](repeating: Page.noPage, count: classes.count)
  /// How many bytes of texts are stored.
  private(set) var byteCount = 0

  /// Calls `body` with the bytes of a stored text of `count` bytes.
  func withBytes<Result>(_ text: TextReference, count: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let start = Int(text.unit) * Self.unitSize
    let page = pages[Int(text.page)].bytes
    return body(page.span.extracting(start..<start + count))
  }

  /// Whether the text stored at `reference` is that of `count` bytes from `start` on.
  func isStored(_ text: Span<UInt8>, from start: Int, count: Int, at reference: TextReference) -> Bool {
    let first = Int(reference.unit) * Self.unitSize
    let page = pages[Int(reference.page)].bytes
    let stored = page.span.extracting(first..<first + count)
    let compared = text.extracting(start..<start + count)
    for index in 0..<count where stored[index] != compared[index] { return false }
    return true
  }

  /// One byte of a stored text.
  @inline(__always)
  func byte(_ text: TextReference, at index: Int) -> UInt8 {
    pages[Int(text.page)].bytes[Int(text.unit) * Self.unitSize + index]
  }

  /// Stores the first `count` bytes of a text, at least one.
  mutating func store(_ text: Span<UInt8>, count: Int) -> TextReference {
    byteCount += count
    let reference = allocate(count)
    let start = Int(reference.unit) * Self.unitSize
    var page = pages[Int(reference.page)].bytes.mutableSpan
    let stored = text.extracting(0..<count)
    for index in 0..<count { page[start + index] = stored[index] }
    return reference
  }

  /// Forgets a text of `count` bytes.
  mutating func remove(_ text: TextReference, count: Int) {
    byteCount -= count
    let page = Int(text.page)
    guard let sizeClass = pages[page].sizeClass else {
      free(page)
      return
    }
    pages[page].used -= 1
    if pages[page].used == 0 {
      leaveListOfRoom(page, sizeClass)
      free(page)
      return
    }
    let wasFull = !hasRoom(page)
    let start = Int(text.unit) * Self.unitSize
    pages[page].bytes[start] = UInt8(pages[page].firstFree & 0xFF)
    pages[page].bytes[start + 1] = UInt8(pages[page].firstFree >> 8)
    pages[page].firstFree = Int(text.unit)
    if wasFull { joinListOfRoom(page, sizeClass) }
  }
}

extension TextArena {
  private func hasRoom(_ page: Int) -> Bool {
    guard let sizeClass = pages[page].sizeClass else { return false }
    return pages[page].firstFree != Page.noUnit
      || pages[page].filled + Self.classes[sizeClass] * Self.unitSize <= Self.pageSize
  }

  private mutating func allocate(_ count: Int) -> TextReference {
    let units = (count + Self.unitSize - 1) / Self.unitSize
    guard let sizeClass = Self.classes.firstIndex(where: { $0 >= units }) else {
      let page = takePage(nil)
      pages[page].bytes = [UInt8](repeating: 0, count: count)
      return TextReference(page: Int32(page), unit: 0)
    }
    var page = firstWithRoom[sizeClass]
    if page == Page.noPage {
      page = takePage(sizeClass)
      joinListOfRoom(page, sizeClass)
    }
    let unit: Int
    if pages[page].firstFree != Page.noUnit {
      unit = pages[page].firstFree
      let start = unit * Self.unitSize
      pages[page].firstFree = Int(pages[page].bytes[start]) | Int(pages[page].bytes[start + 1]) << 8
    } else {
      unit = pages[page].filled / Self.unitSize
      pages[page].filled += Self.classes[sizeClass] * Self.unitSize
      if pages[page].filled > pages[page].bytes.count { extend(page) }
    }
    pages[page].used += 1
    if !hasRoom(page) { leaveListOfRoom(page, sizeClass) }
    return TextReference(page: Int32(page), unit: UInt16(unit))
  }

  /// Adds room to a page: small tables stay small, and a page of which the beginning was not enough is made whole.
  private mutating func extend(_ page: Int) {
    let count = pages[page].bytes.isEmpty ? max(pages[page].filled, Self.pageSize / 16) : Self.pageSize
    var bytes = [UInt8](repeating: 0, count: count)
    for index in pages[page].bytes.indices { bytes[index] = pages[page].bytes[index] }
    pages[page].bytes = bytes
  }

  private mutating func takePage(_ sizeClass: Int?) -> Int {
    let page = freePages.popLast() ?? pages.count
    if page == pages.count { pages.append(Page()) }
    pages[page].sizeClass = sizeClass
    return page
  }

  private mutating func free(_ page: Int) {
    pages[page] = Page()
    freePages.append(page)
  }

  private mutating func joinListOfRoom(_ page: Int, _ sizeClass: Int) {
    let first = firstWithRoom[sizeClass]
    pages[page].previousWithRoom = Page.noPage
    pages[page].nextWithRoom = first
    if first != Page.noPage { pages[first].previousWithRoom = page }
    firstWithRoom[sizeClass] = page
  }

  /// Does nothing for a page that is not in the list.
  private mutating func leaveListOfRoom(_ page: Int, _ sizeClass: Int) {
    let (next, previous) = (pages[page].nextWithRoom, pages[page].previousWithRoom)
    guard previous != Page.noPage || firstWithRoom[sizeClass] == page else { return }
    if previous == Page.noPage {
      firstWithRoom[sizeClass] = next
    } else {
      pages[previous].nextWithRoom = next
    }
    if next != Page.noPage { pages[next].previousWithRoom = previous }
    pages[page].nextWithRoom = Page.noPage
    pages[page].previousWithRoom = Page.noPage
  }
}
