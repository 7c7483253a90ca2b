#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// How the tests are asked to run.
enum CommandEnvironment {
  /// Whether checks may take minutes.
  static let isLong = getenv("SCENED_LONG_CHECKS") != nil
}
