import Foundation

/// The directory of this package, as it was when the tests were built.
package enum PackageDirectory {
  /// The path of `name` in it.
  package static func appending(_ name: String) -> String {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
    return sources.appending(path: "../../..").standardized.appending(path: name).path
  }
}
