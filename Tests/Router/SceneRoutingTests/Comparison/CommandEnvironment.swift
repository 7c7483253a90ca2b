#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Settings of the test run, from the environment.
enum CommandEnvironment {
  /// Whether checks may take minutes.
  static let isLong = getenv("SCENED_LONG_CHECKS") != nil
}
