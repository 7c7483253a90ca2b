import Glibc
import Installed
import SceneLint
import SystemPackage
import Varlink

/// The browsers that run, and the installed manifests of their adapters.
struct RunningBrowsers {
  /// The readable manifests, including those with invalid contents.
  let hosts: [LintedHost]
  /// This user's running browsers for which a manifest is installed.
  let browsers: [LintedBrowser]

  /// Browsers that share manifests.
  private struct Family {
    let programs: [String]
    let directories: [String]
    /// The manifest's member that lists the allowed extensions, and scened's extension in it.
    let allowed: (member: StaticString, extensionID: String)
  }

  init(_ places: DesktopPlaces) {
    let home = Host.variable("HOME").map { [$0] } ?? []
    let configuration = places.userConfiguration.map { [$0] } ?? []
    let families = [
      Family(
        programs: ["chromium"],
        directories: ["/etc/chromium/native-messaging-hosts"]
          + configuration.map { "\($0)/chromium/NativeMessagingHosts" },
        // Chromium computes this id from the key in the extension's manifest.
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
      // What was read of an invalid manifest is checked all the same.
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

  /// The first process of each browser is the one whose parent runs another program.
  private static func running(_ programs: Set<String>) -> [LintedBrowser] {
    let processes = Host.names(in: "/proc").compactMap { CInt($0) }
    // Only the processes of this user can be read.
    let files = processes.reduce(into: [CInt: FilePath]()) { files, process in
      files[process] = Host.canonicalPath(FilePath("/proc/\(process)/exe"))
    }
    func parent(of process: CInt) -> CInt? { ProcessAncestry(of: process).processIDs.dropFirst().first }
    // A browser is the parent of its adapter, which is found by the name of its process, as an upgrade may have removed
    // its file.
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
