import Glibc

/// The limits on the open descriptors of this process (`RLIMIT_NOFILE`).
package struct DescriptorLimit: Equatable, Sendable {
  /// The limit in force: with this many open descriptors, the process cannot open another descriptor.
  package let soft: Int

  /// The highest value to which this process may raise `soft`.
  package let hard: Int

  /// Returns the limits of this process.
  package static func current() throws(SocketError) -> DescriptorLimit {
    let limit = try systemLimit()
    return DescriptorLimit(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
  }

  /// Sets the soft limit of this process to `soft`, or to the hard limit if the hard limit is lower.
  ///
  /// - Returns: The limits in force afterwards.
  @discardableResult
  package static func set(soft: Int) throws(SocketError) -> DescriptorLimit {
    var limit = try systemLimit()
    limit.rlim_cur = min(rlim_t(soft), limit.rlim_max)
    try systemCall { unsafe setrlimit(resource, &limit) }.get("setrlimit")
    return try current()
  }

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

  private static func systemLimit() throws(SocketError) -> rlimit {
    var limit = rlimit()
    try systemCall { unsafe getrlimit(resource, &limit) }.get("getrlimit")
    return limit
  }
}
