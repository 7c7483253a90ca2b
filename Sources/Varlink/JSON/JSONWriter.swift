/// Writes JSON without white space into a buffer that can be used over and over.
///
/// Commas come by themselves. Members are written with `member`, elements of arrays with `element`; `value`
/// after `name` or alone. The writer does not check that calls for begin and end match.
package struct JSONWriter: ~Copyable {
  private var buffer: [UInt8]
  /// Whether the next member or element follows another one.
  private var needsComma = false

  /// Makes a writer that appends to `buffer`.
  package init(buffer: consuming [UInt8] = []) {
    self.buffer = buffer
  }

  /// What has been written since the buffer was last emptied.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { buffer.span }
  }

  /// How many bytes have been written.
  package var count: Int { buffer.count }

  /// Empties the buffer but keeps its memory, unless it is more than `capacity` bytes.
  package mutating func removeAll(keepingUpTo capacity: Int = 1 << 20) {
    buffer.removeAll(keepingCapacity: buffer.capacity <= capacity)
    needsComma = false
  }

  /// Gives the buffer away and goes on with an empty one.
  package mutating func takeBytes() -> [UInt8] {
    needsComma = false
    let bytes = buffer
    buffer = []
    return bytes
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

  /// Appends a string that holds nothing that has to be escaped.
  mutating func append(quoted bytes: Span<UInt8>) {
    buffer.append(addingCapacity: bytes.count + 2) { output in
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: bytes)
      output.append(UInt8(ascii: "\""))
    }
  }

  /// Forgets what came before: the next value is the first.
  mutating func startMessage() {
    needsComma = false
  }

  /// Notes that what comes next on this level is separated by a comma.
  mutating func finishValue() {
    needsComma = true
  }
}

// MARK: - Objects and arrays

extension JSONWriter {
  /// Starts an object.
  package mutating func beginObject() {
    buffer.append(UInt8(ascii: "{"))
    needsComma = false
  }

  /// Ends an object.
  package mutating func endObject() {
    buffer.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Starts an array.
  package mutating func beginArray() {
    buffer.append(UInt8(ascii: "["))
    needsComma = false
  }

  /// Ends an array.
  package mutating func endArray() {
    buffer.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes the name of a member; a value has to follow.
  ///
  /// The name is copied as it is: it must hold nothing that has to be escaped.
  package mutating func name(_ name: StaticString) {
    buffer.append(addingCapacity: name.utf8CodeUnitCount + 4) { output in
      if needsComma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      output.append(name)
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
    }
    needsComma = false
  }

  /// Writes the name of a member; a value has to follow.
  package mutating func name(_ name: String) {
    separate()
    value(name)
    buffer.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes the comma between members or elements.
  package mutating func separate() {
    if needsComma { buffer.append(UInt8(ascii: ",")) }
    needsComma = false
  }
}
