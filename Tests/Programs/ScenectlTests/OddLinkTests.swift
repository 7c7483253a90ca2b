import Foundation
import TestSupport
import Testing

/// Odd links and files, as desktops hand them over: where `scenectl open`, xdg-open 1.1.3 and `gio open` take them.
@Suite(.blocking) final class OddLinkTests {
  /// What xdg-open or `gio open` does with an argument.
  enum Other {
    /// The application of the scheme gets the argument as it is.
    case link
    /// The application of the file's type gets the path of the file.
    case file
    /// There is no application, and xdg-open starts `$BROWSER` with the argument.
    case browser
    case error
  }

  struct Row: CustomStringConvertible {
    let argument: String
    /// The URL in the event; nil if the argument is an error.
    ///
    /// `HERE` stands for the working directory.
    let url: String?
    let xdgOpen: Other
    let gio: Other
    /// Why the argument does not arrive as the others hand it over.
    let difference: String?

    init(_ argument: String, _ url: String?, _ xdgOpen: Other, _ gio: Other, _ difference: String? = nil) {
      (self.argument, self.url, self.xdgOpen, self.gio) = (argument, url, xdgOpen, gio)
      self.difference = difference
    }

    /// A link that arrives as it is.
    init(_ link: String, _ xdgOpen: Other = .link, _ gio: Other = .link) {
      self.init(link, link, xdgOpen, gio)
    }

    var description: String { argument.debugDescription }
  }

  private static let (encoded, cut, dropped) = (
    "white space is encoded", "white space at the ends is cut", "line breaks and tabs are dropped"
  )
  private static let (noHost, page) = (
    "a browser would show a blank window", "the error says how the URL would be"
  )
  private static let (byHandler, normal) = (
    "the application of the scheme gets it, if there is one", "the URL of a file has one spelling"
  )

  static let links = [
    Row("mailto:a@b.example?subject=hi you", "mailto:a@b.example?subject=hi%20you", .link, .link, encoded),
    Row("mailto:a@b.example?subject=hi%20you&body=a%0Ab"),
    Row("mailto:a@b.example?body=a\nb", "mailto:a@b.example?body=ab", .link, .link, dropped),
    Row("mailto:\"A B\" <a@b.example>", "mailto:\"A%20B\"%20<a@b.example>", .link, .link, encoded),
    Row("mailto:a@b.example,c@d.example"),
    Row("MAILTO:a@b.example", "MAILTO:a@b.example", .browser, .link, byHandler),
    Row("tel:+49 30 1234", "tel:+49%2030%201234", .link, .link, encoded), Row("tel:(030)1234"),
    Row("sms:+4930?body=hi you", "sms:+4930?body=hi%20you", .link, .link, encoded),
    Row("https://e.example/A%20B (1)/x", "https://e.example/A%20B%20(1)/x", .link, .link, encoded),
    Row("https://e.example/x\n", "https://e.example/x", .link, .link, cut),
    Row("  https://e.example/x", "https://e.example/x", .error, .error, cut),
    Row("https://e.example/x \t", "https://e.example/x", .link, .link, cut),
    Row("https://e.example/a\tb", "https://e.example/ab", .link, .link, dropped),
    Row("https://e.example/a\r\nb", "https://e.example/ab", .link, .link, dropped),
    Row("https://e.example/\u{1}\u{7F}x", "https://e.example/%01%7Fx", .link, .link, encoded),
    Row("https://e.example/\"q\"'s'`b`$x$(y);z&a"), Row("https://e.example/100%"),
    Row("https://e.example/%zz%2"), Row("https://e.example/a%2Fb%00"), Row("https://e.example/ü?q=日#ä"),
    Row("https://ü.example/"), Row("https://xn--tda.example/"), Row("https://e.example/a\u{A0}b"),
    Row("https://e.example/\u{2028}x\u{FEFF}"), Row("https://e.example\\a\\b"),
    Row("https://e.example/a|b{c}[d]^e"), Row("https://[::1]:8080/"), Row("https://user:pw@e.example/"),
    Row("https://e.example"), Row("https:e.example"), Row("https://mailto:x"),
    Row("HTTPS://E.EXAMPLE/", "HTTPS://E.EXAMPLE/", .browser, .link, byHandler),
    Row("http://", nil, .link, .link, noHost), Row("https:///x", nil, .link, .link, noHost),
    Row("http:", nil, .link, .link, noHost), Row("http://:80/", nil, .link, .link, noHost),
    Row("www.e.example", nil, .error, .error, page), Row("e.example/page", nil, .error, .error, page),
    Row("//e.example/x", nil, .error, .error),
    Row("magnet:?xt=urn:btih:c1&dn=a b", "magnet:?xt=urn:btih:c1&dn=a%20b", .link, .link, encoded),
    Row("urn:isbn:0451450523"), Row("news:comp.lang.c"), Row("geo:52.5,13.4;u=35"),
    Row("data:text/html,<b>a b</b>", "data:text/html,<b>a%20b</b>", .link, .link, encoded),
    Row("javascript:alert('x y')", "javascript:alert('x%20y')", .link, .link, encoded),
    Row("irc://irc.example/#chan"), Row("git+ssh://h.example/r"), Row("x:"), Row("c:/Users/x.txt"),
    Row("x: ", "x:", .link, .link, cut),
    Row("C:\\Users\\x.txt", "C:\\Users\\x.txt", .browser, .link, byHandler),
    Row("\\\\server\\share", nil, .error, .error),
    Row("zzz:unknown", "zzz:unknown", .browser, .error, byHandler),
    Row("zzz://unknown/a b", "zzz://unknown/a%20b", .browser, .error, byHandler),
  ]

  static let files = [
    Row("a.txt", "file://HERE/a.txt", .file, .file), Row("./a.txt", "file://HERE/a.txt", .file, .file),
    Row("a b.txt", "file://HERE/a%20b.txt", .file, .file),
    Row("HERE/a b.txt", "file://HERE/a%20b.txt", .file, .file),
    Row("a.txt\n", "file://HERE/a.txt", .file, .error, cut),
    Row("ü.txt", "file://HERE/%C3%BC.txt", .file, .file),
    Row("100%.txt", "file://HERE/100%25.txt", .file, .file),
    Row("a%20b.txt", "file://HERE/a%2520b.txt", .file, .file),
    Row("notes: today.txt", "file://HERE/notes:%20today.txt", .browser, .error, "a file wins over a scheme"),
    Row("a:b.txt", "file://HERE/a:b.txt", .browser, .error, "a file wins over a scheme"),
    Row("mailto:x", "file://HERE/mailto:x", .link, .link, "a file wins over a scheme"),
    Row("a#b.txt", "file://HERE/a%23b.txt", .file, .file),
    Row("a?b.txt", "file://HERE/a%3Fb.txt", .file, .file),
    Row("a\tb.txt", "file://HERE/a%09b.txt", .file, .file),
    Row("a\nb.txt", "file://HERE/a%0Ab.txt", .file, .file),
    Row("C:\\x.txt", "file://HERE/C:%5Cx.txt", .browser, .link, "a file wins over a scheme"),
    Row("~x.txt", "file://HERE/~x.txt", .file, .file), Row("~/x.txt", nil, .error, .error),
    Row("q'\"$.txt", "file://HERE/q'%22$.txt", .file, .file),
    Row("end.txt ", "file://HERE/end.txt%20", .file, .file),
    Row("[1].txt", "file://HERE/%5B1%5D.txt", .file, .file),
    Row("x|y.txt", "file://HERE/x%7Cy.txt", .file, .file),
    Row("sub", "file://HERE/sub", .file, .file), Row("sub/", "file://HERE/sub", .file, .file),
    Row("sub/../a.txt", "file://HERE/a.txt", .file, .file),
    Row("file://HERE/a.txt", "file://HERE/a.txt", .file, .file),
    Row("file:HERE/a.txt", "file://HERE/a.txt", .browser, .file, normal),
    Row("FILE://HERE/a.txt", "file://HERE/a.txt", .browser, .file, normal),
    Row("file://localhostHERE/a.txt", "file://HERE/a.txt", .error, .file, normal),
    Row("file://HERE/a b.txt", "file://HERE/a%20b.txt", .file, .file),
    Row("file://HERE/a%20b.txt", "file://HERE/a%20b.txt", .file, .file),
    Row("file://HERE/a%2520b.txt", "file://HERE/a%2520b.txt", .file, .file),
    Row("file://HERE/ü.txt", "file://HERE/%C3%BC.txt", .file, .file),
    Row("file://HERE/100%.txt", "file://HERE/100%.txt", .error, .error),
    Row("file://HERE/a.txt#L3", "file://HERE/a.txt", .file, .file),
    Row("file://HERE/a.txt?x=y", "file://HERE/a.txt?x=y", .file, .error),
    Row("file://HERE/a%23b.txt", "file://HERE/a%23b.txt", .file, .file),
    Row("file://HERE/a\tb.txt", "file://HERE/a%09b.txt", .file, .file),
    Row("file://HERE/a.txt\n", "file://HERE/a.txt", .file, .error, cut),
    Row("file://HERE/sub/../a.txt", "file://HERE/a.txt", .file, .file),
    Row("file:a.txt", "file:a.txt", .browser, .error, byHandler),
    Row(
      "file:///no/such.txt",
      "file:///no/such.txt",
      .error,
      .error,
      "a window may show what is not there yet"
    ),
    Row("/no/such.txt", nil, .error, .error), Row("no such.txt", nil, .error, .error),
    Row("no:such.txt", "no:such.txt", .browser, .error, byHandler),
    Row("file://other.example/x.txt", "file://other.example/x.txt", .error, .error, byHandler),
  ]

  private let home: HandlerHome
  private var here: String { home.path("here") }

  init() throws {
    home = try HandlerHome()
    let names = [
      "a.txt", "a b.txt", "ü.txt", "100%.txt", "a%20b.txt", "notes: today.txt", "a:b.txt", "a#b.txt",
      "a?b.txt",
      "a\tb.txt", "a\nb.txt", "C:\\x.txt", "~x.txt", "q'\"$.txt", "end.txt ", "[1].txt", "x|y.txt",
      "mailto:x",
    ]
    for name in names + ["sub/c.txt"] { try home.write("here/\(name)", "text\n") }
  }

  private func filled(_ text: String) -> String { text.replacing("HERE", with: here) }

  @Test func scenectlTakesEachAsTheTableSays() throws {
    let router = try Router()
    let scene = try router.start("scene", "--json", "--allow", "*")
    try scene.outputLine(containing: "opened")
    for options in ["", "--as-handler"] {
      for row in Self.links + Self.files {
        let run = try Router.run(
          "/bin/sh",
          [
            "-c", #"cd "$1" && exec "$0" open $2 "$3""#, SpawnedProgram.buildDirectory + "/scenectl", here,
            options,
            filled(row.argument),
          ],
          environment: router.environment
        )
        #expect(run.status == (row.url == nil ? 1 : 0), "\(row)")
        guard let url = row.url else { continue }
        #expect(try JSONObject(scene.nextLine())["delivery.event.url"] == filled(url), "\(row)")
      }
    }
  }

  @Test func xdgOpenTakesEachAsTheTableSays() throws {
    let command = try TestEnvironment.run("get-command", ["xdg-open", "xdg-utils"])
    // xdg-open asks it for the types of files.
    try TestEnvironment.run("get-command", ["file", "file"])
    guard try SpawnedProgram.run(command, ["--version"]).output == "xdg-open 1.1.3\n" else {
      try Test.cancel("The table is about xdg-open 1.1.3.")
    }
    try compare([command], \.xdgOpen)
  }

  @Test func gioTakesEachAsTheTableSays() throws {
    try compare([try TestEnvironment.run("get-command", ["gio", "libglib2.0-bin"]), "open"], \.gio)
  }

  /// Opens each argument with a command, and compares who gets what with the table.
  private func compare(_ command: [String], _ column: KeyPath<Row, Other>) throws {
    try home.makeDirectory("bin")
    for (name, field) in [("link", "%u"), ("file", "%f"), ("browser", "")] {
      try home.directory.writeScript(
        "bin/\(name)",
        #"echo "\#(name) $(printf %s "$1" | base64 -w0)" >>\#(home.path("got"))"#
      )
      try home.install(name, exec: "\(home.path("bin"))/\(name) \(field)")
    }
    let schemes = (Self.links + Self.files).compactMap { row in
      row.argument.contains(":") ? row.argument.prefix { $0 != ":" }.lowercased() : nil
    }.filter { !["file", "zzz", "a", "no", "notes"].contains($0) && !$0.contains(" ") }
    try home.write(
      ".config/mimeapps.list",
      "[Default Applications]\ntext/plain=file.desktop\ninode/directory=file.desktop\n"
        + Set(schemes).map { "x-scheme-handler/\($0)=link.desktop\n" }.joined()
    )
    try #require(mkfifo(home.path("got"), 0o600) == 0)
    // The shell holds the pipe open for writing too, so that the pipe does not end with the first application.
    let got = try SpawnedProgram("/bin/sh", ["-c", "exec cat <>\(home.path("got"))"])
    let environment = home.environment.merging([
      "DISPLAY": ":99", "BROWSER": home.path("bin/browser"), "LC_ALL": "C.UTF-8",
      "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
    ]) { _, own in own }
    // The test command compares fewer rows, because xdg-open takes a tenth of a second for each.
    let rows = Self.links + Self.files
    for row in TestRun.isLong ? rows : stride(from: 0, to: rows.count, by: 3).map({ rows[$0] }) {
      let argument = filled(row.argument)
      let run = try Router.run(
        "/bin/sh",
        ["-c", #"cd "$1" && shift && exec "$@""#, "", here] + command + [argument],
        environment: environment
      )
      guard run.status == 0 else {
        #expect(row[keyPath: column] == .error, "\(row): \(run.error)")
        continue
      }
      let words = try got.nextLine().split(separator: " ")
      let text =
        words.count < 2
        ? "" : String(decoding: Data(base64Encoded: String(words[1])) ?? Data(), as: UTF8.self)
      #expect("\(row[keyPath: column])" == words[0], "\(row)")
      if words[0] == "file" {
        let path = URL(filePath: text, relativeTo: URL(filePath: here + "/")).standardizedFileURL.path
        let expected = row.url.map { URL(string: filled($0))?.path }
        #expect(path == expected, "\(row)")
      } else {
        // GIO writes the host of a URL anew, as browsers do.
        #expect(text == argument, "\(row)")
      }
    }
  }
}
