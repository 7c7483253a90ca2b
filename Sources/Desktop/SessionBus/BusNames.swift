import CSessionBus
import Glibc

package enum ObjectPath {
  /// The path of the object for `name` below `prefix`, encoded with `sd_bus_path_encode(3)`.
  package static func path(below prefix: String, for name: String) -> String? {
    var path: UnsafeMutablePointer<CChar>?
    guard let sd = unsafe scened_bus_functions(),
      unsafe sd.pointee.sd_bus_path_encode(prefix, name, &path) >= 0, let path = unsafe path
    else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}

/// Addresses of buses.
package enum BusAddress {
  /// Returns the address of a bus at a socket (D-Bus Specification, "Server Addresses").
  package static func ofSocket(_ path: String) -> String {
    let value = path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
        UInt8(ascii: "."):
        String(UnicodeScalar(byte))
      default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
    return "unix:path=\(value.joined())"
  }
}
