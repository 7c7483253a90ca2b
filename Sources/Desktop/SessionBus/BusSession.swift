import CSessionBus
import Dispatch
import Glibc

@safe final class BusSession {
  enum Step {
    case nothing
    case something(BusMessage.Kind?)
    case ended
  }

  let id: UInt64
  /// The number of Dispatch sources that use the descriptor.
  var sources = 0
  var reading: (any DispatchSourceRead)?
  var writing: (any DispatchSourceWrite)?
  private let bus: OpaquePointer
  private let sd: UnsafePointer<scened_bus_functions>

  /// Begins to connect; no address means the user's session bus.
  ///
  /// With `isPeer`, a single program answers at the address.
  init(id: UInt64, address: String?, isPeer: Bool) throws(BusError) {
    self.id = id
    guard let sd = unsafe scened_bus_functions() else { throw .unavailable(code: ELIBACC) }
    unsafe self.sd = unsafe sd
    var bus: OpaquePointer?
    var code: CInt
    if let address {
      code = unsafe sd.pointee.sd_bus_new(&bus)
      if code >= 0 { code = unsafe sd.pointee.sd_bus_set_address(bus, address) }
      if code >= 0 { code = unsafe sd.pointee.sd_bus_set_bus_client(bus, isPeer ? 0 : 1) }
      if code >= 0 { code = unsafe sd.pointee.sd_bus_start(bus) }
      if code < 0 { _ = unsafe sd.pointee.sd_bus_unref(bus) }
    } else {
      code = unsafe sd.pointee.sd_bus_open_user(&bus)
    }
    guard code >= 0, let bus = unsafe bus else { throw .unavailable(code: -code) }
    unsafe self.bus = unsafe bus
  }

  deinit {
    unsafe sd.pointee.sd_bus_close(bus)
    _ = unsafe sd.pointee.sd_bus_unref(bus)
  }

  var descriptor: CInt { unsafe sd.pointee.sd_bus_get_fd(bus) }

  var wantsToWrite: Bool { unsafe sd.pointee.sd_bus_get_events(bus) & CInt(POLLOUT) > 0 }

  func send(_ call: BusCall) throws(BusError) -> UInt64 {
    let message = try unsafe BusMessage.call(call, on: bus, sd)
    switch unsafe message.send(on: bus) {
    case .success(let cookie): return cookie
    case .failure(let failure) where [ENOTCONN, ECONNRESET, EPIPE].contains(failure.code): throw .disconnected
    case .failure(let failure): throw .unsendable(call, code: failure.code)
    }
  }

  func process() -> Step {
    var message: OpaquePointer?
    let code = unsafe sd.pointee.sd_bus_process(bus, &message)
    if code < 0 { return .ended }
    if code == 0 { return .nothing }
    guard let message = unsafe message else { return .something(nil) }
    return .something(unsafe BusMessage(owning: message, sd).read())
  }
}
