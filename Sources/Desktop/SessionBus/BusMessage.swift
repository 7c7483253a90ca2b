import CSessionBus
import Glibc

/// A message of sd-bus, only for the thread that uses the bus.
@safe struct BusMessage: ~Copyable {
  private let message: OpaquePointer
  private let sd: UnsafePointer<scened_bus_functions>

  init(owning message: OpaquePointer, _ sd: UnsafePointer<scened_bus_functions>) {
    unsafe (self.message, self.sd) = unsafe (message, sd)
  }

  deinit {
    _ = unsafe sd.pointee.sd_bus_message_unref(message)
  }

  static func call(
    _ call: BusCall,
    on bus: OpaquePointer,
    _ sd: UnsafePointer<scened_bus_functions>
  ) throws(BusError) -> BusMessage {
    var new: OpaquePointer?
    let code = unsafe sd.pointee.sd_bus_message_new_method_call(
      bus,
      &new,
      call.destination,
      call.path,
      call.interface,
      call.member
    )
    guard code >= 0, let new = unsafe new else { throw .unsendable(call, code: -code) }
    _ = unsafe sd.pointee.sd_bus_message_set_auto_start(new, call.startsService ? 1 : 0)
    let message = unsafe BusMessage(owning: new, sd)
    for argument in call.arguments {
      let code = message.append(argument)
      guard code >= 0 else { throw .unsendable(call, code: -code) }
    }
    return message
  }

  /// Returns the cookie, a number that the reply will contain.
  func send(on bus: OpaquePointer) -> Result<UInt64, Failure> {
    var cookie: UInt64 = 0
    let code = unsafe sd.pointee.sd_bus_send(bus, message, &cookie)
    return code < 0 ? .failure(Failure(code: -code)) : .success(cookie)
  }

  struct Failure: Error {
    var code: CInt
  }

  enum Kind {
    case reply(to: UInt64, Result<[BusValue], BusError>)
    case signal(BusSignal)
  }

  /// Nil for a call, which is refused, because this process has no methods.
  func read() -> Kind? {
    if unsafe sd.pointee.sd_bus_message_is_method_call(message, nil, nil) > 0 {
      _ = unsafe sd.pointee.sd_bus_reply_method_errno(message, ENOSYS, nil)
      return nil
    }
    var cookie: UInt64 = 0
    let values = readAll()
    guard unsafe sd.pointee.sd_bus_message_get_reply_cookie(message, &cookie) >= 0 else {
      return .signal(
        BusSignal(
          path: unsafe Self.text(sd.pointee.sd_bus_message_get_path(message)),
          interface: unsafe Self.text(sd.pointee.sd_bus_message_get_interface(message)),
          member: unsafe Self.text(sd.pointee.sd_bus_message_get_member(message)),
          values: values
        )
      )
    }
    guard let error = unsafe sd.pointee.sd_bus_message_get_error(message) else {
      return .reply(to: cookie, .success(values))
    }
    let refusal = BusError.refused(
      name: unsafe Self.text(error.pointee.name),
      message: unsafe Self.text(error.pointee.message)
    )
    return .reply(to: cookie, .failure(refusal))
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }
}

// MARK: - Writing

extension BusMessage {
  private func append(_ value: BusValue) -> CInt {
    switch value {
    case .boolean(let value): append("b", CInt(value ? 1 : 0))
    case .byte(let value): append("y", value)
    case .int16(let value): append("n", value)
    case .uint16(let value): append("q", value)
    case .int32(let value): append("i", value)
    case .uint32(let value): append("u", value)
    case .int64(let value): append("x", value)
    case .uint64(let value): append("t", value)
    case .double(let value): append("d", value)
    case .string(let text): append("s", text)
    case .objectPath(let text): append("o", text)
    case .signature(let text): append("g", text)
    case .array(let element, let values): append("a", element, values)
    case .structure(let members): append("r", members.map(\.signature).joined(), members)
    case .entry(let key, let value): append("e", key.signature + value.signature, [key, value])
    case .variant(let value): append("v", value.signature, [value])
    }
  }

  private func append<Value: BitwiseCopyable>(_ type: Unicode.Scalar, _ value: Value) -> CInt {
    unsafe withUnsafePointer(to: value) {
      unsafe sd.pointee.sd_bus_message_append_basic(message, CChar(type.value), $0)
    }
  }

  /// A text with a NUL is refused, because only the part before the NUL would arrive.
  private func append(_ type: Unicode.Scalar, _ text: String) -> CInt {
    guard !text.utf8.contains(0) else { return -EINVAL }
    return unsafe text.withCString {
      unsafe sd.pointee.sd_bus_message_append_basic(message, CChar(type.value), $0)
    }
  }

  private func append(_ type: Unicode.Scalar, _ contents: String, _ values: [BusValue]) -> CInt {
    var code = unsafe sd.pointee.sd_bus_message_open_container(message, CChar(type.value), contents)
    for value in values where code >= 0 { code = append(value) }
    return code < 0 ? code : unsafe sd.pointee.sd_bus_message_close_container(message)
  }
}

// MARK: - Reading

extension BusMessage {
  private func readAll() -> [BusValue] {
    var values: [BusValue] = []
    while let value = readNext() { values.append(value) }
    return values
  }

  /// Nil at the end of the container, and for a file descriptor, which is not supported.
  private func readNext() -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard unsafe sd.pointee.sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
    switch Unicode.Scalar(UInt8(bitPattern: type)) {
    case "b": return read(type, CInt(0)).map { .boolean($0 != 0) }
    case "y": return read(type, UInt8(0)).map(BusValue.byte)
    case "n": return read(type, Int16(0)).map(BusValue.int16)
    case "q": return read(type, UInt16(0)).map(BusValue.uint16)
    case "i": return read(type, Int32(0)).map(BusValue.int32)
    case "u": return read(type, UInt32(0)).map(BusValue.uint32)
    case "x": return read(type, Int64(0)).map(BusValue.int64)
    case "t": return read(type, UInt64(0)).map(BusValue.uint64)
    case "d": return read(type, Double(0)).map(BusValue.double)
    case "s": return readText(type).map(BusValue.string)
    case "o": return readText(type).map(BusValue.objectPath)
    case "g": return readText(type).map(BusValue.signature)
    case "a":
      let element = unsafe Self.text(contents)
      return readContainer(type, element).map { .array(of: element, $0) }
    case "r": return readContainer(type, unsafe Self.text(contents)).map(BusValue.structure)
    case "v": return readContainer(type, unsafe Self.text(contents))?.first.map(BusValue.variant)
    case "e":
      guard let pair = readContainer(type, unsafe Self.text(contents)), pair.count == 2 else { return nil }
      return .entry(pair[0], pair[1])
    default: return nil
    }
  }

  private func read<Value: BitwiseCopyable>(_ type: CChar, _ initial: Value) -> Value? {
    var value = initial
    return unsafe sd.pointee.sd_bus_message_read_basic(message, type, &value) > 0 ? value : nil
  }

  private func readText(_ type: CChar) -> String? {
    var text: UnsafePointer<CChar>?
    guard unsafe sd.pointee.sd_bus_message_read_basic(message, type, &text) > 0 else { return nil }
    return unsafe Self.text(text)
  }

  private func readContainer(_ type: CChar, _ contents: String) -> [BusValue]? {
    guard unsafe sd.pointee.sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
    let values = readAll()
    return unsafe sd.pointee.sd_bus_message_exit_container(message) >= 0 ? values : nil
  }
}
