import Foundation

/// The directory of this package at the time the tests were built.
package enum PackageDirectory {
  /// Returns the path of `name` in the package's directory.
  package static func appending(_ name: String) -> String {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
    return sources.appending(path: "../../..").standardized.appending(path: name).path
  }
}
