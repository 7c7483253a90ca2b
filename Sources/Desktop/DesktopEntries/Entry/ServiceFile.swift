/// A file that describes how a bus starts a service.
///
/// Source: D-Bus Specification 0.43, "Message Bus Starting Services".
package enum ServiceFile {
  /// Returns the unit with which systemd runs the service (`SystemdService=`); nil if the file has none.
  package static func unit(in bytes: [UInt8]) -> String? { value("SystemdService", in: bytes) }

  /// Returns the name of the service on the bus (`Name=`); nil if the file has none.
  package static func name(in bytes: [UInt8]) -> String? { value("Name", in: bytes) }

  private static func value(_ key: String, in bytes: [UInt8]) -> String? {
    guard let file = KeyFile(bytes), let group = file.group("D-BUS Service") else { return nil }
    var reader = GroupReader(file, group: group)
    return reader.string(key)
  }
}
