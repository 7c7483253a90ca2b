import Glibc

package struct DescriptorLimit: Equatable, Sendable {
  package let soft: Int
  package let hard: Int

  package static func current() throws(SocketError) -> DescriptorLimit {
    let limit = try systemLimit()
    return DescriptorLimit(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
  }

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
