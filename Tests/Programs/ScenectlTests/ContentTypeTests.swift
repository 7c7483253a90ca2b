import Foundation
import TestSupport
import Testing

/// Tests of the content types that `scenectl open` sends for files: those that `gio info` prints.
@Suite(.blocking) final class ContentTypeTests {
  private let router: Router
  private let scene: SpawnedProgram
  private let directory: TemporaryDirectory

  init() throws {
    router = try Router()
    directory = try TemporaryDirectory()
    scene = try router.start("scene", "--json", "--allow", "*")
    try scene.outputLine(containing: "opened")
    try FileManager.default.createDirectory(
      atPath: directory.appending("data/mime"),
      withIntermediateDirectories: true
    )
  }

  private func write(_ name: String, _ data: [UInt8]) throws {
    try Data(data).write(to: URL(filePath: directory.appending(name)))
  }

  private func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// The environment in which the test's own database counts.
  private var ownDatabase: [String: String] {
    ["HOME": directory.path, "XDG_DATA_HOME": "", "XDG_DATA_DIRS": directory.appending("data")]
  }

  /// Opens files or URLs with `scenectl open`, and returns the content types in the events, by URL.
  private func types(_ arguments: [String], _ environment: [String: String]) throws -> [String: String] {
    let run = try router.scenectl(["open"] + arguments, environment: environment)
    try #require(run.status == 0, "\(run.error)")
    let events = try arguments.map { _ in try JSONObject(scene.nextLine()) }
    return Dictionary(
      events.compactMap { event in
        event["delivery.event.contentType"].map { (event["delivery.event.url"] ?? "", $0) }
      },
      uniquingKeysWith: { $1 }
    )
  }

  private func type(_ argument: String, _ environment: [String: String]? = nil) throws -> String? {
    try types([argument], environment ?? ownDatabase).values.first
  }

  /// Returns the content types that `gio info` prints for files, by URL.
  private func typesOfGIO(_ paths: [String], _ environment: [String: String]) throws -> [String: String] {
    let gio = try TestEnvironment.run("get-command", ["gio", "libglib2.0-bin"])
    let run = try Router.run(
      gio,
      ["info", "-a", "standard::content-type"] + paths,
      environment: environment.merging(["LC_ALL": "C"]) { own, _ in own }
    )
    var types: [String: String] = [:]
    var url = ""
    for line in run.lines {
      if let found = line.wholeMatch(of: /uri: (.*)/) { url = String(found.1) }
      if let found = line.wholeMatch(of: /\s*standard::content-type: (.*)/) { types[url] = String(found.1) }
    }
    return types
  }

  /// The test command reads fewer files, because 2,500 take a minute.
  private static let mostFiles = TestRun.isLong ? 2500 : 250

  /// Of the files in the packages of this machine, one of each extension, and others without order.
  private static func corpus() throws -> [String] {
    let lists = "/var/lib/dpkg/info"
    var paths: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: lists) where name.hasSuffix(".list") {
      let text = try String(contentsOfFile: "\(lists)/\(name)", encoding: .utf8)
      paths.formUnion(text.split(separator: "\n").map(String.init))
    }
    let sorted = paths.filter { $0.hasPrefix("/usr/") }.sorted()
    var extensions: Set<String> = []
    let first = sorted.filter { extensions.insert(($0 as NSString).pathExtension).inserted }
    let step = max(1, sorted.count * 5 / mostFiles / 3)
    let others = stride(from: 0, to: sorted.count, by: step).map { sorted[$0] }
    return Set(first.prefix(mostFiles * 2 / 5) + others).filter { access($0, R_OK) == 0 }.sorted()
  }

  @Test func filesOfDebiansPackagesHaveTheTypesOfGIO() throws {
    try TestEnvironment.run("get-command", ["update-mime-database", "shared-mime-info"])
    let corpus = try Self.corpus()
    try #require(corpus.count > Self.mostFiles * 2 / 5)
    let environment = ["HOME": directory.path, "XDG_DATA_HOME": "", "XDG_DATA_DIRS": "/usr/share"]
    // The scene's output of one part fits into a pipe.
    for start in stride(from: 0, to: corpus.count, by: 80) {
      let part = Array(corpus[start..<min(start + 80, corpus.count)])
      let (own, gio) = try (types(part, environment), typesOfGIO(part, environment))
      #expect(!gio.isEmpty)
      for (url, type) in gio { #expect(own[url] == type, "\(url)") }
      #expect(own.count == gio.count)
    }
  }

  /// Names that tell one type, several types or none, and contents that decide or do not.
  @Test func namesAndContentsDecideAsInGIO() throws {
    let globs = [
      "80:text/x-strong:*.two", "50:text/x-song:*.song", "50:text/x-one:*.one", "50:text/x-other:*.one",
      "50:text/x-case:*.C:cs", "50:text/x-small:*.c", "50:text/x-make:makefile", "50:text/x-range:*.[0-9]",
    ]
    try write("data/mime/globs2", globs.joined(separator: "\n") + "\n")
    try write("data/mime/globs", globs.map { $0.dropFirst(3) }.joined(separator: "\n") + "\n")
    try write(
      "data/mime/magic",
      Array("MIME-Magic\0\n[90:text/x-sure]\n>0=\0\u{4}SURE\n[50:text/x-other]\n>0=\0\u{4}OTHR\n".utf8)
    )
    let contents = ["SURE", "OTHR", "text\n", "\0\u{1}\u{2}", ""]
    let names = [
      "a.song", "A.SONG", "a.one", "a.two", "a.C", "a.c", "a.7", "Makefile", "none", "a.song.x", "ü ?%.one",
    ]
    var paths: [String] = []
    for name in names {
      for (index, content) in contents.enumerated() {
        try FileManager.default.createDirectory(
          atPath: directory.appending("\(index)"),
          withIntermediateDirectories: true
        )
        try write("\(index)/\(name)", content)
        paths.append(directory.appending("\(index)/\(name)"))
      }
    }
    let own = try types(paths, ownDatabase)
    #expect(own == (try typesOfGIO(paths, ownDatabase)))
    #expect(own["file://\(directory.path)/2/a.song"] == "text/x-song")
    #expect(own["file://\(directory.path)/1/a.one"] == "text/x-other")
    #expect(own["file://\(directory.path)/0/none"] == "text/x-sure")
    #expect(own["file://\(directory.path)/2/none"] == "text/plain")
    #expect(own["file://\(directory.path)/3/none"] == "application/octet-stream")
  }

  @Test func fileURLHasTheTypeOfItsFile() throws {
    try write("data/mime/globs2", "50:text/x-song:*.song\n")
    try write("a %.song", "text")
    for host in ["", "localhost", machineName] {
      #expect(try type("file://\(host)\(directory.path)/a%20%25.song") == "text/x-song")
    }
    #expect(try type("n:1") == nil)
    #expect(try type("file://\(directory.appending("missing.song"))") == nil)
  }

  @Test func directoriesAndPipesHaveTypesOfTheirOwnWhateverTheirNames() throws {
    try write("data/mime/globs2", "50:text/x-song:*.song\n")
    let path = directory.appending("a.song")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(try type(path) == "inode/directory")
    #expect(try type("file://\(path)/") == "inode/directory")
    try #require(mkfifo(directory.appending("pipe.song"), 0o600) == 0)
    #expect(try type(directory.appending("pipe.song")) == "inode/fifo")
    #expect(try type("/dev/null") == "inode/chardevice")
  }

  /// Without GIO, the router finds the type by the name.
  @Test func filesHaveNoTypeWithoutGIO() throws {
    try write("libgio-2.0.so.0", "")
    try write("a.txt", "text")
    let path = [directory.path, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]].compactMap(\.self)
    let environment = ["LD_LIBRARY_PATH": path.joined(separator: ":")]
    #expect(try type(directory.appending("a.txt"), environment) == nil)
    #expect(try type(directory.path, environment) == "inode/directory")
  }

  /// Databases of a megabyte that no program has written: the file is opened all the same.
  ///
  /// The test command tries each start with one kind of rules, because a database takes half a second.
  @Test func hostileRulesHideNoFile() throws {
    let starts = [
      "MIME-Magic\0\n", "MIME-Magic\0\n[50:a/b]\n>0=\0\u{4}ab",
      "MIME-Magic\0\n[50:a/b]\n>4294967295=\u{7F}\u{7F}",
      "MIME-Magic\0\n[50:a/b]\n>0=\0\u{1}x+4294967295\n", "[99:x y/z]\n>0=\0\u{1}x\n",
      "MIME-Magic\0\n[50:\u{1}]\n",
    ]
    let rules = [
      String(repeating: "\u{1}\u{2}\n[>=&~+", count: 130_000),
      String(repeating: "9>0=\0\u{1}x\n", count: 110_000),
      String(repeating: ">0=\0\u{1}y+4000\n", count: 70_000), String(repeating: "[50:a/b]\n", count: 110_000),
    ]
    try write("none", "xxxx\n")
    for (number, start) in starts.enumerated() {
      for rule in TestRun.isLong ? rules : [rules[number % rules.count]] {
        try write("data/mime/magic", start + rule)
        _ = try type(directory.appending("none"))
      }
    }
  }

  /// A server that never answers: the file is routed without a look at it.
  @Test func fileOnALostMountHasNoType() throws {
    let python = try TestEnvironment.run("get-command", ["python3", "python3"])
    let unshare = try TestEnvironment.run("get-command", ["unshare", "util-linux"])
    let mount = directory.appending("mount")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
    try write(
      "lose",
      """
      import ctypes, os, subprocess, sys
      try:
          server = os.open("/dev/fuse", os.O_RDWR)
      except OSError as error:
          sys.exit(f"No file system can be mounted: {error}")
      options = f"fd={server},rootmode=40000,user_id=0,group_id=0"
      if ctypes.CDLL(None).mount(b"lost", sys.argv[1].encode(), b"fuse", 0, options.encode()):
          sys.exit("No file system can be mounted.")
      sys.exit(100 + subprocess.run(sys.argv[2:]).returncode)

      """
    )
    for argument in ["file://\(mount)/a.txt", "\(mount)/a", "\(mount)/a:3"] {
      let run = try Router.run(
        unshare,
        ["--user", "--map-root-user", "--mount", python, directory.appending("lose"), mount]
          + [SpawnedProgram.buildDirectory + "/scenectl", "open", argument],
        environment: router.environment
      )
      guard run.status >= 100 else { try Test.cancel("\(run.error)") }
      #expect(run.status == 100, "\(run.error)")
      let event = try JSONObject(scene.nextLine())
      #expect(event["delivery.event.url"]?.hasPrefix("file://\(mount)/a") == true)
      #expect(event["delivery.event.contentType"] == nil)
    }
  }
}
