import CSessionBus
import Glibc

/// Makes object paths from names.
package enum ObjectPath {
  /// Returns the path of the object for `name` below `prefix`, encoded with `sd_bus_path_encode(3)`.
  ///
  /// - Returns: Nil if `prefix` is not an object path.
  package static func path(below prefix: String, for name: String) -> String? {
    var path: UnsafeMutablePointer<CChar>?
    guard unsafe sd_bus_path_encode(prefix, name, &path) >= 0, let path = unsafe path else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}

/// Names on the bus.
package enum BusName {
  /// Whether a service can have this name.
  package static func isValid(_ name: String) -> Bool {
    unsafe !name.utf8.contains(0) && sd_bus_service_name_is_valid(name) > 0
  }
}
