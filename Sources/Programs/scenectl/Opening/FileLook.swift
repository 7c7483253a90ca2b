import CProcess
import Glibc
import SystemPackage

/// Whether a file is there, and its MIME type.
///
/// The type is the one that GIO finds by the shared MIME database, so that all programs of a desktop agree. Without
/// GIO, the router finds the types by the names; only directories have one here.
struct FileLook {
  /// Of stat(2), 0 for an existing file; `ETIMEDOUT` if the file system does not answer.
  let code: CInt
  /// Without parameters.
  let type: String?

  /// In bytes: 127 on each side of the slash (RFC 6838 4.2).
  private static let longestType = 255

  /// A missing file that `mayBeNew` has the type that its name tells, else that of text.
  init(at path: FilePath, mayBeNew: Bool = false) {
    var text = [CChar](repeating: 0, count: Self.longestType + 2)
    code = unsafe path.withPlatformString { path in
      unsafe scened_look_at_file(path, mayBeNew, &text, CInt(text.count))
    }
    type = Self.checked(
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    )
  }

  /// In lower case; nil for a type from a broken database, which the router would refuse.
  private static func checked(_ type: String) -> String? {
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), type.utf8.count <= longestType,
      type.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return nil }
    return type.lowercased()
  }
}
