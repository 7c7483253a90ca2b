/// Writes JSON without white space into a buffer that can be used over and over.
///
/// Commas come by themselves. Members are written with `member`, or with `name` and a value; elements of arrays are
/// values. The writer does not check that calls for begin and end match.
public struct JSONWriter: ~Copyable {
  private var buffer = ByteBuffer()
  /// Whether a member or an element comes before what is written next.
  private var needsComma = false

  /// Makes a writer that has written nothing.
  package init() {}

  /// What has been written since the buffer was last emptied.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { Span(_bytes: buffer.bytes) }
  }

  /// How many bytes have been written.
  package var count: Int { buffer.count }

  /// Empties the buffer but keeps its memory, unless it is more than `capacity` bytes.
  package mutating func removeAll(keepingUpTo capacity: Int = 1 << 20) {
    buffer.removeAll(keepingUpTo: capacity)
    needsComma = false
  }

  /// Returns what has been written, and empties the buffer.
  package mutating func takeBytes() -> [UInt8] {
    var taken: [UInt8] = []
    taken.append(contentsOf: bytes)
    removeAll()
    return taken
  }

  /// A place in what is written, to come back to.
  var mark: (count: Int, needsComma: Bool) { (buffer.count, needsComma) }

  /// Takes back all that was written after a mark.
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

  /// Appends what is held at these places.
  mutating func repeatBytes(_ places: Range<Int>) {
    buffer.repeatBytes(places)
  }

  /// Appends a string in quotation marks; if some of it has to be escaped, appends nothing and returns false.
  @inline(__always)
  mutating func append(quoted text: Span<UInt8>) -> Bool {
    buffer.append(quoted: text)
  }

  /// Notes that the next value is the first of a message.
  mutating func startMessage() {
    needsComma = false
  }

  /// Notes that a comma comes before the next value.
  @inline(__always)
  mutating func expectComma() {
    needsComma = true
  }

  /// Writes the comma before a member or an element, unless it is the first.
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

  /// Starts an object that is a member.
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

  /// Starts an array that is a member.
  public mutating func beginArray(_ name: StaticString) {
    self.name(name)
    beginArray()
  }

  /// Ends an array.
  public mutating func endArray() {
    buffer.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes the name of a member; a value has to follow.
  ///
  /// The name is copied as it is: it must hold nothing that has to be escaped.
  @inline(never)
  public mutating func name(_ name: StaticString) {
    appendName(name)
  }

  /// The same without a call, for the most frequent members.
  @inline(__always)
  mutating func appendName(_ name: StaticString) {
    buffer.append(name: name, afterComma: needsComma)
    needsComma = false
  }

  /// Writes the name of a member; a value has to follow.
  package mutating func name(_ name: String) {
    value(name)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }
}
