/// Source: D-Bus Specification 0.43, "Message Bus Starting Services".
package enum ServiceFile {
  package static func unit(in bytes: [UInt8]) -> String? { value("SystemdService", in: bytes) }

  package static func name(in bytes: [UInt8]) -> String? { value("Name", in: bytes) }

  private static func value(_ key: String, in bytes: [UInt8]) -> String? {
    guard let file = KeyFile(bytes), let group = file.group("D-BUS Service") else { return nil }
    var reader = GroupReader(file, group: group)
    return reader.string(key)
  }
}
