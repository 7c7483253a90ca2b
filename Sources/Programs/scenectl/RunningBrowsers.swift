import Glibc
import Installed
import SceneLint
import SystemPackage
import Varlink

/// The browsers that run, and the installed manifests of their adapters.
struct RunningBrowsers {
  /// The readable manifests of the adapters, including manifests with invalid contents.
  let hosts: [LintedHost]
  /// This user's running browsers for which an adapter's manifest is installed.
  let browsers: [LintedBrowser]

  /// A family of browsers that share manifests.
  private struct Family {
    /// The names of the browsers' executable files.
    let programs: [String]
    let directories: [String]
    /// The manifest's member that lists the allowed extensions, and the entry for scened's extension in this list.
    let allowed: (member: StaticString, extensionID: String)
  }

  /// Looks at the manifests of the system and of the user, and at `/proc`.
  init(_ places: DesktopPlaces) {
    let home = Host.variable("HOME").map { [$0] } ?? []
    let configuration = places.userConfiguration.map { [$0] } ?? []
    let families = [
      Family(
        programs: ["chromium"],
        directories: ["/etc/chromium/native-messaging-hosts"]
          + configuration.map { "\($0)/chromium/NativeMessagingHosts" },
        // Chromium computes the extension's id in this URL from the key in the extension's manifest.
        allowed: ("allowed_origins", "chrome-extension://okebpkniigpjamcljgjllfbjgbggegkl/")
      ),
      Family(
        programs: ["firefox-esr", "firefox", "firefox-bin"],
        directories: ["/usr/lib/mozilla/native-messaging-hosts"]
          + home.map { "\($0)/.mozilla/native-messaging-hosts" },
        allowed: ("allowed_extensions", "windows@scened.io")
      ),
    ]
    var hosts: [LintedHost] = []
    var programs: Set<String> = []
    for family in families {
      let found = family.directories.compactMap { Self.host(in: $0, of: family) }
      if !found.isEmpty { programs.formUnion(family.programs) }
      hosts += found
    }
    self.hosts = hosts
    browsers = programs.isEmpty ? [] : Self.running(programs)
  }

  private static func host(in directory: String, of family: Family) -> LintedHost? {
    let path = "\(directory)/io.scened.browser.json"
    guard case .file(let bytes, _) = FileContents.read(path) else { return nil }
    var document = JSONDocument()
    var (program, allowed): (String?, [String]) = (nil, [])
    do {
      var manifest = try ObjectReader(document.parse(bytes.span))
      program = manifest.member("path")?.stringValue
      allowed = try manifest.array(family.allowed.member)
    } catch {
      // If the manifest is invalid, the members that were read before the error are checked all the same.
    }
    let file = FilePath(program ?? "")
    return LintedHost(
      path: path,
      program: program,
      isProgramThere: Host.isRegularFile(file) && Host.refusal(of: X_OK, file) == nil,
      allowed: allowed,
      extensionID: family.allowed.extensionID
    )
  }

  /// Returns the first process of each running browser: the process whose parent runs another program.
  private static func running(_ programs: Set<String>) -> [LintedBrowser] {
    let processes = Host.names(in: "/proc").compactMap { CInt($0) }
    // Only the processes of this user can be read.
    let files = processes.reduce(into: [CInt: FilePath]()) { files, process in
      files[process] = Host.canonicalPath(FilePath("/proc/\(process)/exe"))
    }
    func parent(of process: CInt) -> CInt? { ProcessAncestry(of: process).processIDs.dropFirst().first }
    // A browser is the parent process of its adapter. The adapter is found by the name of its process, `scenectl`,
    // because an upgrade may have removed the adapter's file.
    let hosts = processes.filter {
      Host.contents(of: FilePath("/proc/\($0)/comm")) == Array("scenectl\n".utf8)
    }
    .compactMap(parent(of:))
    return files.sorted { $0.key < $1.key }.compactMap { process, file in
      guard let name = file.lastComponent?.string, programs.contains(name),
        parent(of: process).flatMap({ files[$0] }) != file
      else { return nil }
      return LintedBrowser(name: name, processID: Int(process), hasAdapter: hosts.contains(process))
    }
  }
}
