import DesktopEntries
import Glibc

/// The further names of this machine's files: paths without symbolic links, and the directories of git.
///
/// The router compares names as texts, so a file that has two names needs both. What lies below a mount of a network or
/// of a program keeps its name, because a look at it can take forever.
package struct FileNames {
  package static var machineName: String? {
    var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
    guard unsafe gethostname(&name, name.count) == 0, name[0] != 0 else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A scene with more gets no further names; with them, it keeps the router's limits: 2048 entries and 256 KiB.
  fileprivate static let (mostEntries, mostBytes) = (512, 128 << 10)
  /// The router's limits for a URL of an event and for an identifier, in bytes.
  private static let (longestURL, longestEntry) = (32 << 10, 4 << 10)
  /// As many as Linux follows on the way to a file.
  private static let mostLinks = 40
  /// In bytes; a longer `.git` file is not read.
  private static let longestGitFile = 4 << 10

  private let machine = machineName
  private let mounts = MountTable()

  fileprivate static func isCandidate(_ text: String) -> Bool {
    text.utf8.first == slash || text.utf8.prefix(5).map { $0 | 0x20 }.elementsEqual("file:".utf8)
  }

  /// Nil if `url` has no symbolic links already, or does not name a file.
  fileprivate func resolved(_ url: String) -> String? {
    otherNames(of: url).first { $0.utf8.count <= Self.longestURL }
  }

  /// Each entry is followed by its other names.
  fileprivate func completed(_ registration: Registration) -> Registration {
    var result = registration
    // The router itself compares shown URLs without regard to their spelling.
    result.showing = with(registration.showing) { otherNames(of: $0, inOtherSpelling: false) }
    result.preferring = with(registration.preferring) { otherNames(of: $0, isIdentifier: true) }
    result.allowing = with(registration.allowing) { otherNames(of: $0, isIdentifier: true) }
    return result
  }

  private func with(_ entries: [String], _ otherNames: (String) -> [String]) -> [String] {
    var known = Set(entries)
    return entries.flatMap { entry in
      let others = Self.isCandidate(entry) ? otherNames(entry) : []
      return [entry] + others.filter { $0.utf8.count <= Self.longestEntry && known.insert($0).inserted }
    }
  }

  /// `text` and the names are `file:` URLs, or parts of one that begin with `/`.
  private func otherNames(
    of text: String,
    isIdentifier: Bool = false,
    inOtherSpelling: Bool = true
  ) -> [String] {
    let isURL = text.utf8.first != Self.slash
    let url = isURL ? text : "file://" + text
    let literal = isURL ? nil : Array(text.utf8)
    guard let path = FileURL.path(of: url, onMachine: machine) ?? literal else { return [] }
    let file = resolve(path)
    let endsWithSlash = path.last == Self.slash
    if !isURL, !isIdentifier || !(endsWithSlash || isDirectory(file)) { return [] }
    var paths = inOtherSpelling || file.path != Self.withoutSlash(path) ? [file.path] : []
    if isIdentifier, let git = gitDirectory(of: file) { paths.append(git) }
    let rest = url.utf8.drop { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return paths.map { path in
      let path = endsWithSlash && path.last != Self.slash ? path + [Self.slash] : path
      let name = FileURL.url(ofPath: path) + String(decoding: rest, as: UTF8.self)
      return isURL ? name : String(name.dropFirst("file://".count))
    }.filter { $0 != text }
  }
}

extension RouterConnection {
  /// `others` is the number of the scene's entries in other registrations.
  ///
  /// The router of another machine, reached through a program, has other files.
  func complete(_ registrations: [Registration], others: Int = 0) -> [Registration] {
    socketPath == nil ? registrations : registrations.withAllNames(others: others)
  }

  func complete(_ event: Event) -> Event { socketPath == nil ? event : event.resolved }
}

extension [Registration] {
  /// For the registrations of one scene; unchanged if the entries are too many, or would be too long.
  package func withAllNames(others: Int = 0) -> [Registration] {
    guard reduce(others, { $0 + $1.count }) <= FileNames.mostEntries,
      contains(where: { $0.entries.contains(where: FileNames.isCandidate) })
    else { return self }
    let names = FileNames()
    let result = map(names.completed)
    let bytes = result.flatMap(\.entries).reduce(0) { $0 + $1.utf8.count }
    return bytes <= FileNames.mostBytes ? result : self
  }
}

extension Registration {
  fileprivate var entries: [String] { showing + preferring + allowing }
  var count: Int { showing.count + preferring.count + allowing.count }
}

extension Event {
  package var resolved: Event {
    guard resolvedURL == nil, let url, FileNames.isCandidate(url) else { return self }
    var event = self
    event.resolvedURL = FileNames().resolved(url)
    return event
  }
}

// MARK: - Looks at files

extension FileNames {
  private static var slash: UInt8 { UInt8(ascii: "/") }

  /// A path as far as it could be looked at.
  private struct File {
    var path: [UInt8]
    /// Whether the path has no symbolic link and the file is there.
    var isWhole: Bool
  }

  private static func withoutSlash(_ path: [UInt8]) -> [UInt8] {
    path.count > 1 && path.last == slash ? path.dropLast() : path
  }

  /// What is missing, may not be seen or may hang is left as it is, and so is a path with too many links.
  private func resolve(_ path: [UInt8]) -> File {
    var rest = Array(path.split(separator: Self.slash).reversed())
    var result: [UInt8] = []
    var links = 0
    while let name = rest.popLast() {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        result.removeLast(result.count - (result.lastIndex(of: Self.slash) ?? 0))
        continue
      }
      let next = result + [Self.slash] + name
      guard !mounts.mayHang(next), let target = Self.target(of: next) else {
        return File(path: rest.reversed().reduce(next) { $0 + [Self.slash] + $1 }, isWhole: false)
      }
      if target.isEmpty {
        result = next
        continue
      }
      links += 1
      if links > Self.mostLinks { return File(path: Self.withoutSlash(path), isWhole: false) }
      if target.first == Self.slash { result = [] }
      rest += target.split(separator: Self.slash).reversed()
    }
    return File(path: result.isEmpty ? [Self.slash] : result, isWhole: true)
  }

  /// Empty for a file that is no symbolic link, nil for one that cannot be seen.
  private static func target(of path: [UInt8]) -> [UInt8]? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { target in
      guard let start = target.baseAddress else { return nil }
      let count = unsafe readlink(cString(path), start, target.count)
      guard count < 0 else { return unsafe target.prefix(count).map { UInt8(bitPattern: $0) } }
      return errno == EINVAL ? [] : nil
    }
  }

  private func isDirectory(_ file: File) -> Bool { file.isWhole && Self.type(of: file.path) == S_IFDIR }

  private static func type(of path: [UInt8]) -> mode_t? {
    var status = stat()
    return unsafe lstat(cString(path), &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Nil unless the `.git` of the tree is a file, as in a worktree or a submodule.
  private func gitDirectory(of tree: File) -> [UInt8]? {
    guard tree.isWhole, let name = gitFile(tree.path + Array("/.git".utf8)) else { return nil }
    let directory = resolve(name.first == Self.slash ? name : tree.path + [Self.slash] + name)
    // What a stranger's `.git` names is no directory of git's, or would widen what the scene asks for.
    let head = directory.path + Array("/HEAD".utf8)
    guard isDirectory(directory), !mounts.mayHang(head), Self.type(of: head) != nil,
      !MountTable.holds(directory.path, tree.path)
    else { return nil }
    return directory.path
  }

  /// Nil if the file is not one of git's.
  private func gitFile(_ path: [UInt8]) -> [UInt8]? {
    guard !mounts.mayHang(path),
      let text = Self.contents(of: path, atMost: Self.longestGitFile), text.starts(with: "gitdir: ".utf8)
    else { return nil }
    var name = text.dropFirst("gitdir: ".utf8.count)
    while name.last == UInt8(ascii: "\n") || name.last == UInt8(ascii: "\r") { name.removeLast() }
    return name.isEmpty || name.contains(0) ? nil : Array(name)
  }

  private static func contents(of path: [UInt8], atMost most: Int) -> [UInt8]? {
    let descriptor = unsafe open(cString(path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return read(descriptor, atMost: most)
  }

  /// Nil after an error, or if the file has more than `most` bytes.
  fileprivate static func read(_ descriptor: CInt, atMost most: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count <= most {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 { return nil }
      bytes += buffer.prefix(count)
    }
    return nil
  }

  fileprivate static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }
}

/// The mounts below which a look at a file may take forever.
private struct MountTable {
  private static let types: Set<String> = [
    "9p", "afs", "autofs", "ceph", "cifs", "coda", "davfs", "fuse", "gfs2", "glusterfs", "lustre", "ncpfs",
    "nfs",
    "nfs4", "ocfs2", "orangefs", "smb3", "smbfs", "virtiofs",
  ]

  private let places: [[UInt8]]

  /// Reads the table of this process (proc_pid_mounts(5)).
  ///
  /// Mounts that hold the root or the home do not count as slow, because without them nothing works.
  init() {
    let home = unsafe getenv("HOME").map { unsafe Array(String(cString: $0).utf8) } ?? []
    let descriptor = unsafe open("/proc/self/mounts", O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    let text = descriptor < 0 ? nil : FileNames.read(descriptor, atMost: 16 << 20)
    var isSlow: [[UInt8]: Bool] = [:]
    for line in (text ?? []).split(separator: UInt8(ascii: "\n")) {
      // The source, the place and the type.
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard fields.count > 3 else { continue }
      // Programs put their own name after `fuse`: fuse.sshfs.
      let type = String(decoding: fields[2].prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
      // Of several mounts at one place, the last one hides the others, such as that of autofs.
      isSlow[Self.unescaped(fields[1])] = Self.types.contains(type)
    }
    places = isSlow.filter(\.value).keys.filter { !Self.holds($0, home) }
  }

  func mayHang(_ path: [UInt8]) -> Bool { places.contains { Self.holds($0, path) } }

  static func holds(_ place: [UInt8], _ path: [UInt8]) -> Bool {
    place == [UInt8(ascii: "/")]
      || path.starts(with: place) && (path.count == place.count || path[place.count] == UInt8(ascii: "/"))
  }

  /// In the table, `\040` stands for a blank.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = byte == UInt8(ascii: "\\") ? rest.prefix(3) : []
      if digits.count == 3, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
