/// Writes JSON without white space into a buffer that can be reused.
///
/// To write a member of an object, call `member`, or call `name` and then write the value. To write an element of an
/// array, write only the value. The writer adds the commas. The caller has to end each object and each array.
public struct JSONWriter: ~Copyable {
  private var buffer = ByteBuffer()
  private var needsComma = false

  package init() {}

  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { Span(_bytes: buffer.bytes) }
  }

  package var count: Int { buffer.count }

  package mutating func removeAll(keepingUpTo capacity: Int = 1 << 20) {
    buffer.removeAll(keepingUpTo: capacity)
    needsComma = false
  }

  package mutating func takeBytes() -> [UInt8] {
    var taken: [UInt8] = []
    taken.append(contentsOf: bytes)
    removeAll()
    return taken
  }

  var mark: (count: Int, needsComma: Bool) { (buffer.count, needsComma) }

  mutating func rewind(to mark: (count: Int, needsComma: Bool)) {
    buffer.removeLast(buffer.count - mark.count)
    needsComma = mark.needsComma
  }

  mutating func append(_ byte: UInt8) {
    buffer.append(byte)
  }

  mutating func append(contentsOf bytes: Span<UInt8>) {
    buffer.append(contentsOf: bytes)
  }

  mutating func repeatBytes(_ places: Range<Int>) {
    buffer.repeatBytes(places)
  }

  @inline(__always)
  mutating func append(quoted text: Span<UInt8>) -> Bool {
    buffer.append(quoted: text)
  }

  mutating func startMessage() {
    needsComma = false
  }

  @inline(__always)
  mutating func expectComma() {
    needsComma = true
  }

  @inline(__always)
  mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}

// MARK: - Objects and arrays

extension JSONWriter {
  /// Starts an object.
  public mutating func beginObject() {
    separate()
    buffer.append(UInt8(ascii: "{"))
    needsComma = false
  }

  /// Starts an object as the value of a member.
  public mutating func beginObject(_ name: StaticString) {
    self.name(name)
    beginObject()
  }

  /// Ends an object.
  public mutating func endObject() {
    buffer.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Starts an array.
  public mutating func beginArray() {
    separate()
    buffer.append(UInt8(ascii: "["))
    needsComma = false
  }

  /// Starts an array as the value of a member.
  public mutating func beginArray(_ name: StaticString) {
    self.name(name)
    beginArray()
  }

  /// Ends an array.
  public mutating func endArray() {
    buffer.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes the name of a member, whose value the caller has to write next.
  ///
  /// The name is written without escaping, so it must not contain a character that JSON requires to be escaped.
  @inline(never)
  public mutating func name(_ name: StaticString) {
    appendName(name)
  }

  /// ``name(_:)``, inlined because this is faster for frequent members.
  @inline(__always)
  mutating func appendName(_ name: StaticString) {
    buffer.append(name: name, afterComma: needsComma)
    needsComma = false
  }

  package mutating func name(_ name: String) {
    value(name)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }
}
