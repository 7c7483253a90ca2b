import SceneTypes

/// Source: RFC 8089.
package enum FileURL {
  /// The absolute path without query and fragment; nil for another scheme or machine, a broken percent-encoding, or a
  /// NUL or encoded `/`, which no file name can contain.
  ///
  /// An empty host, `localhost` and `machine` stand for this machine, without regard to case.
  package static func path(of url: String, onMachine machine: String? = nil) -> [UInt8]? {
    let parts = URLParts(url.utf8.span)
    guard url.utf8[parts.scheme].map(lowercased).elementsEqual("file".utf8) else { return nil }
    if let authority = parts.authority {
      let own = ["", "localhost", machine].compactMap { $0?.utf8.map(lowercased) }
      guard own.contains(url.utf8[authority].map(lowercased)) else { return nil }
    }
    guard url.utf8[parts.path].first == UInt8(ascii: "/") else { return nil }
    var path: [UInt8] = []
    var bytes = url.utf8[parts.path].makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "%") else {
        guard byte != 0 else { return nil }
        path.append(byte)
        continue
      }
      guard let high = bytes.next().flatMap(digit), let low = bytes.next().flatMap(digit) else { return nil }
      let decoded = high << 4 | low
      guard decoded != 0, decoded != UInt8(ascii: "/") else { return nil }
      path.append(decoded)
    }
    return path
  }

  /// Spelled as by `g_filename_to_uri`, from which most programs get their URLs, so that URLs can be compared as texts.
  package static func url(ofPath path: some Sequence<UInt8>) -> String {
    path.reduce(into: "file://") { url, byte in
      if isUnescaped(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        url += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
  }

  private static func isUnescaped(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: "-._~!$&'()*+,=:@/".utf8.contains(byte)
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch lowercased(byte) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): lowercased(byte) - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Changes ASCII letters only.
func lowercased(_ byte: UInt8) -> UInt8 {
  UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}
