import SceneRouting

/// The unit of systemd that a process belongs to.
///
/// The unit's name can say for which application the process acts.
///
/// Sources:
/// - systemd.io/DESKTOP_ENVIRONMENTS: the names of applications' units
/// - systemd-escape(1): the characters in these names
/// - the source of snapd: the names of units that snapd makes
enum SendingUnit: Hashable {
  /// The unit of the application with this id.
  case application(String)
  /// The unit of a program that passes on the links of other programs.
  ///
  /// The unit does not tell which program a link comes from. The associated text is one of these:
  /// - `xdg-desktop-portal`
  /// - the id of the router's own desktop entry, because KIO and GNOME Shell start this entry in a new unit
  case intermediary(String)
  /// Any other unit, or no unit.
  case other

  /// The id of the router's own desktop entry.
  private static let ownEntry = "scened-open"
  /// The text with which the names of all portals' units and programs begin.
  private static let portal = "xdg-desktop-portal"

  /// Finds the unit in the text of `/proc/PID/cgroup`.
  init(ofControlGroups text: String) {
    self = Self.path(in: text).flatMap(Self.unit).map { SendingUnit(named: $0) } ?? .other
  }

  /// Reads the name of a unit.
  init(named unit: Substring) {
    let id: String?
    if let name = unit.dropping(suffix: ".service") {
      // The text after the first `@` names an instance of the unit, and is dropped. It is never part of the application
      // id, because every `@` in the application id is escaped.
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
  /// Returns the path of the process in the hierarchy of control groups that systemd uses.
  ///
  /// systemd uses either the hierarchy of version 2, or a hierarchy of version 1 with the name `systemd`. A process can
  /// be in both hierarchies. Its path is then `/` in the hierarchy that systemd does not use, so `/` is skipped.
  private static func path(in controlGroups: String) -> Substring? {
    let lines = controlGroups.split(separator: "\n").map {
      $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    }
    return lines.first { $0.count == 3 && ($0[0] == "0" || $0[1] == "name=systemd") && $0[2] != "/" }?[2]
  }

  /// Returns the name of the unit in the path of a control group.
  ///
  /// The unit is the first service or scope in the path. If the path contains the user's manager (`user@UID.service`),
  /// the search begins after the manager. Later services and scopes do not count, because a program can make control
  /// groups inside its unit and name them like units.
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
  /// Returns the application id in a unit name of the form `app[-LAUNCHER]-ID`.
  private static func application(_ name: Substring) -> String? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0] == "app" else { return nil }
    return unescaped(parts[parts.count - 1])
  }

  /// Returns the application id for a unit name of the form `snap.INSTANCE.APP`.
  ///
  /// The id is `INSTANCE_APP`. In the id, snapd writes `+` for each `_` of `INSTANCE`.
  private static func snap(_ name: Substring) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "snap", !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
    return unescaped(parts[1].replacing("_", with: "+") + "_" + parts[2])
  }

  /// Drops the random part at the end of a scope's name.
  ///
  /// The scopes of one application differ in this part.
  private static func withoutRandomPart(_ name: Substring) -> Substring? {
    guard let end = name.lastIndex(of: "-"), name[end...] != "-" else { return nil }
    return name[..<end]
  }

  /// Drops the UUID at the end of a snap scope's name, and the separator before the UUID.
  ///
  /// The separator is `-`; in older versions of snapd it is `.`.
  private static func withoutUUID(_ name: Substring) -> Substring? {
    let uuid = name.utf8.suffix(36)
    let isUUID = zip(0..., uuid).allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
    }
    guard isUUID, let last = name[..<uuid.startIndex].last, last == "-" || last == "." else { return nil }
    return name[..<uuid.startIndex].dropLast()
  }

  /// Decodes an application id that systemd has escaped for a unit's name.
  ///
  /// Returns `nil` if an escape is malformed, or if the decoded text is not an application id.
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
  /// Returns the text before a suffix; `nil` if the text does not end with the suffix.
  fileprivate func dropping(suffix: String) -> Substring? {
    hasSuffix(suffix) ? dropLast(suffix.count) : nil
  }
}
