import SceneRouting

/// The unit of systemd that a process belongs to, whose name can say for which application the process acts.
///
/// Sources: systemd.io/DESKTOP_ENVIRONMENTS for the names of units, systemd-escape(1) for their characters, and the
/// source of snapd for its units.
enum SendingUnit: Hashable {
  case application(String)
  /// A program that passes on the links of others: `xdg-desktop-portal`, or the router's own entry, which KIO and GNOME
  /// Shell start in a new unit.
  case intermediary(String)
  case other

  private static let ownEntry = "scened-open"
  /// The names of all portals' units and programs begin so.
  private static let portal = "xdg-desktop-portal"

  /// `text` is that of `/proc/PID/cgroup`.
  init(ofControlGroups text: String) {
    self = Self.path(in: text).flatMap(Self.unit).map { SendingUnit(named: $0) } ?? .other
  }

  init(named unit: Substring) {
    let id: String?
    if let name = unit.dropping(suffix: ".service") {
      // The first `@` begins an instance of the unit; every `@` in an application id is escaped.
      let name = name.prefix { $0 != "@" }
      if name.hasPrefix(Self.portal) {
        self = .intermediary(Self.portal)
        return
      }
      id = Self.snap(name) ?? Self.application(name)
    } else if let name = unit.dropping(suffix: ".scope") {
      id = Self.withoutUUID(name).flatMap(Self.snap) ?? Self.withoutRandomPart(name).flatMap(Self.application)
    } else {
      id = nil
    }
    self = id.map { $0 == Self.ownEntry ? .intermediary($0) : .application($0) } ?? .other
  }
}

// MARK: - Paths

extension SendingUnit {
  /// systemd uses the hierarchy of version 2, or one of version 1 with the name `systemd`; the path in the other is `/`.
  private static func path(in controlGroups: String) -> Substring? {
    let lines = controlGroups.split(separator: "\n").map {
      $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    }
    return lines.first { $0.count == 3 && ($0[0] == "0" || $0[1] == "name=systemd") && $0[2] != "/" }?[2]
  }

  /// The first service or scope, after the user's manager if the path contains it.
  ///
  /// Later ones do not count, because a program can make control groups inside its unit and name them like units.
  private static func unit(in path: Substring) -> Substring? {
    let names = path.split(separator: "/")
    let manager = names.firstIndex { $0.hasPrefix("user@") && $0.hasSuffix(".service") }
    return names[(manager.map { $0 + 1 } ?? 0)...].first {
      $0.hasSuffix(".service") || $0.hasSuffix(".scope")
    }
  }
}

// MARK: - Names

extension SendingUnit {
  /// `app[-LAUNCHER]-ID`.
  private static func application(_ name: Substring) -> String? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0] == "app" else { return nil }
    return unescaped(parts[parts.count - 1])
  }

  /// `snap.INSTANCE.APP` has the id `INSTANCE_APP`, in which snapd writes `+` for each `_` of `INSTANCE`.
  private static func snap(_ name: Substring) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "snap", !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
    return unescaped(parts[1].replacing("_", with: "+") + "_" + parts[2])
  }

  /// The scopes of one application differ in this part.
  private static func withoutRandomPart(_ name: Substring) -> Substring? {
    guard let end = name.lastIndex(of: "-"), name[end...] != "-" else { return nil }
    return name[..<end]
  }

  /// The separator before the UUID is `-`; in older versions of snapd it is `.`.
  private static func withoutUUID(_ name: Substring) -> Substring? {
    let uuid = name.utf8.suffix(36)
    let isUUID = zip(0..., uuid).allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
    }
    guard isUUID, let last = name[..<uuid.startIndex].last, last == "-" || last == "." else { return nil }
    return name[..<uuid.startIndex].dropLast()
  }

  /// `nil` if an escape is malformed, or if the decoded text is not an application id.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.dropFirst().prefix(2)
      guard rest.first == UInt8(ascii: "x"), digits.count == 2,
        let value = UInt8(Substring(digits), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    guard let id = String(validating: bytes, as: UTF8.self)?.asApplicationID, !id.isEmpty,
      id.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return id
  }
}

extension Substring {
  fileprivate func dropping(suffix: String) -> Substring? {
    hasSuffix(suffix) ? dropLast(suffix.count) : nil
  }
}
