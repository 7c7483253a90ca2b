import CSessionBus
import Glibc

package enum ObjectPath {
  /// The path of the object for `name` below `prefix`, encoded with `sd_bus_path_encode(3)`.
  package static func path(below prefix: String, for name: String) -> String? {
    var path: UnsafeMutablePointer<CChar>?
    guard unsafe sd_bus_path_encode(prefix, name, &path) >= 0, let path = unsafe path else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}

package enum BusName {
  package static func isValid(_ name: String) -> Bool {
    unsafe !name.utf8.contains(0) && sd_bus_service_name_is_valid(name) > 0
  }
}
