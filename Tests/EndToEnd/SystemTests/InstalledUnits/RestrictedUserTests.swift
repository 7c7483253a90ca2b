import TestSupport
import Testing

/// The installed user's unit where users may do less than usual.
@Suite(.blocking) struct RestrictedUserTests {
  /// Debian 12 has systemd 252, and Debian 13 systemd 257.
  @Test(arguments: ["bookworm", "trixie"])
  func serviceStartsWhateverNamespacesUsersMayMake(_ release: String) throws {
    let box = try SystemBox(release: release)
    func asPerson(_ words: String...) throws -> String {
      try box.run(["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000"] + words)
    }
    for refusal in [
      // As with kernel.unprivileged_userns_clone=0, user.max_user_namespaces=0, or in a container.
      "RestrictNamespaces=yes", "RestrictNamespaces=~user", "SystemCallFilter=~unshare setns",
      // As with AppArmor in Ubuntu 24.04: a namespace can be made, but gives no privilege.
      "SystemCallFilter=~@mount", "RestrictNamespaces=~mnt uts net",
      "CapabilityBoundingSet=", "NoNewPrivileges=yes", "PrivateUsers=yes",
    ] {
      try box.configure("user@1000.service", "Service", "SystemCallErrorNumber=EPERM\n\(refusal)")
      // The unit is started more often than the usual limit allows.
      _ = try box.attempt("systemctl", "reset-failed", "user@1000.service")
      try box.run("systemctl", "restart", "user@1000.service")
      _ = try asPerson("systemctl", "--user", "start", "scened.socket")
      let status = try asPerson("/home/person/.local/bin/scenectl", "status", "--json")
      #expect(status.contains("processId"), "\(refusal): \(status)")
      let journal = try box.journal("_UID=1000", "_SYSTEMD_USER_UNIT=scened.service")
      #expect(Set(journal.map(\.text)).isSubset(of: ["Ready.", "Stopping."]), "\(refusal)")
    }
  }
}
