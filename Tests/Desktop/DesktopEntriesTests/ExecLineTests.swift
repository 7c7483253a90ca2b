import DesktopEntries
import Testing

/// Returns the commands of an `Exec` line as lists of arguments; nil if a URL names no file.
private func commands(_ line: String, _ urls: [String] = [], _ names: ExecLine.Names? = nil) throws
  -> [[String]]?
{
  let names = names ?? ExecLine.Names(name: "A B", icon: "icon", location: "/a b.desktop")
  switch try ExecLine(parsing: line).expansion(opening: urls, names: names) {
  case .commands(let commands): return commands.map { $0.map { String(decoding: $0, as: UTF8.self) } }
  case .notAFile: return nil
  }
}

struct ExecLineTests {
  @Test(arguments: [
    ("app", ["app"]), ("app a  b ", ["app", "a", "b"]), (" app", ["app"]), (#"app "a b""#, ["app", "a b"]),
    (#""/opt/my app/app" a"#, ["/opt/my app/app", "a"]), (#"app """#, ["app", ""]),
    (#"app "a\"b""#, ["app", #"a"b"#]),
    (#"app "\$HOME" "\`id\`" "\\""#, ["app", "$HOME", "`id`", #"\"#]),
    (#"app "$""#.replacing("$", with: "a;b&c|d"), ["app", "a;b&c|d"]),
    (#"env DIR="/a b" app"#, ["env", "DIR=/a b", "app"]), (#"app "a"b"c""#, ["app", "abc"]),
    ("app 100%%", ["app", "100%"]),
    (#"app "100%%""#, ["app", "100%"]), ("app --a=b {c} [d] e!", ["app", "--a=b", "{c}", "[d]", "e!"]),
    ("app %d %D %n %N %v %m", ["app"]), ("app a%mb", ["app", "ab"]), ("app %i", ["app", "--icon", "icon"]),
    ("app %c", ["app", "A B"]), ("app --name=%c", ["app", "--name=A B"]),
    ("app %k", ["app", "/a b.desktop"]),
    (#"app "%c" %i"#, ["app", "A B", "--icon", "icon"]), (#"app "of %c""#, ["app", "of A B"]),
    ("app %u", ["app"]), ("app %U", ["app"]), ("app --url=%u", ["app", "--url="]),
    ("app %f -x", ["app", "-x"]),
    ("äpp ✓", ["äpp", "✓"]),
  ])
  func linesAreSplitIntoArguments(_ line: String, _ arguments: [String]) throws {
    #expect(try commands(line) == [arguments])
  }

  @Test(arguments: [
    ("", 1, "the line has to begin with a program"), (" ", 1, "the line has to begin with a program"),
    (#""""#, 1, "the line has to begin with a program"), ("%u", 1, "the line has to begin with a program"),
    ("%c a", 1, "the line has to begin with a program"), ("a%u", 1, "the line has to begin with a program"),
    ("A=b app", 1, "'=' in the program's name; use 'env NAME=VALUE PROGRAM'"),
    (#"app "a"#, 5, "the quote is not closed; add '\"' after the argument"),
    (#"app "a" "b"#, 9, "the quote is not closed; add '\"' after the argument"),
    (#"app "a\n""#, 7, #"a backslash in quotes has to be '\\\\' in the file"#),
    (#"app "$HOME""#, 6, "'$' in quotes needs two backslashes before it in the file"),
    ("app \"`id`\"", 6, "'`' in quotes needs two backslashes before it in the file"),
    (#"app "%""#, 6, #"there is no field code '%"'; write '%%' for '%'"#),
    (#"app "%u" %f"#, 10, "only one of %f %F %u %U can be in a line; remove the others"),
    (#"app "a %U""#, 8, "'%U' has to be a separate argument; put spaces around it"),
    ("app %", 5, "'%' at the end; write '%%'"),
    ("app %x", 5, "there is no field code '%x'; write '%%' for '%'"),
    ("app % u", 5, "there is no field code '% '; write '%%' for '%'"),
    ("app %u %u", 8, "only one of %f %F %u %U can be in a line; remove the others"),
    ("app %f %U", 8, "only one of %f %F %u %U can be in a line; remove the others"),
    ("app a%U", 6, "'%U' has to be a separate argument; put spaces around it"),
    ("app %Fa b", 5, "'%F' has to be a separate argument; put spaces around it"),
    ("app --icon=%i", 12, "'%i' has to be a separate argument; put spaces around it"),
  ])
  func errorsTellThePosition(_ line: String, _ position: Int, _ reason: String) {
    let error = #expect(throws: ExecError.self) { try ExecLine(parsing: line) }
    #expect(error?.position == position)
    #expect(error?.reason == reason)
  }

  @Test(arguments: Array("\t\n\r'\\><~|&;$*?#()`"))
  func reservedCharactersHaveToBeQuoted(_ character: Character) {
    let error = #expect(throws: ExecError.self) { try ExecLine(parsing: "app a\(character)b") }
    #expect(error?.position == 6)
    #expect(error?.reason.hasSuffix("stands outside quotes; put the argument in double quotes") == true)
    if !"\\$`".contains(character) {
      #expect(throws: Never.self) { try ExecLine(parsing: "app \"a\(character)b\"") }
    }
  }

  @Test(arguments: [
    ("app %u", [["app", "https://a/"], ["app", "file:///b"]]),
    ("app %U", [["app", "https://a/", "file:///b"]]),
    ("app --new=%u x", [["app", "--new=https://a/", "x"], ["app", "--new=file:///b", "x"]]),
    (#"app "%u" "--new=a b""#, [["app", "https://a/", "--new=a b"], ["app", "file:///b", "--new=a b"]]),
    (#"app "%U""#, [["app", "https://a/", "file:///b"]]),
    ("app -- %U x", [["app", "--", "https://a/", "file:///b", "x"]]), ("app", [["app"]]),
  ])
  func severalURLsAreOneListOrSeveralCommands(_ line: String, _ expected: [[String]]) throws {
    #expect(try commands(line, ["https://a/", "file:///b"]) == expected)
  }

  @Test(arguments: [
    ("app %f", [["app", "/a b"], ["app", "/c"]]), ("app %F", [["app", "/a b", "/c"]]),
    ("app --file=%f", [["app", "--file=/a b"], ["app", "--file=/c"]]),
  ])
  func filesAreGivenAsPaths(_ line: String, _ expected: [[String]]) throws {
    #expect(try commands(line, ["file:///a%20b", "file://localhost/c"]) == expected)
  }

  @Test(arguments: ["app %f", "app %F"])
  func otherURLsAreRefusedByWhatTakesFiles(_ line: String) throws {
    let line = try ExecLine(parsing: line)
    let names = ExecLine.Names(name: "a")
    let expansion = line.expansion(opening: ["file:///a", "https://example.org/"], names: names)
    #expect(expansion == .notAFile(url: "https://example.org/"))
  }

  @Test(arguments: [
    "x:$(reboot)", "x:`reboot`", "x:\"a\"'b'", "x:%f%F%u%U%i%c%k%%", "x:\n;reboot", "-x:--help", "--help",
    "x:\\\"", "",
    "x:a b", "x:{}&&|>/dev/null",
  ])
  func whatIsPutInArrivesExactly(_ url: String) throws {
    #expect(try commands("app %u -- x", [url]) == [["app", url, "--", "x"]])
    #expect(try commands("app %U", [url, url]) == [["app", url, url]])
    #expect(try commands("app --a=%u", [url]) == [["app", "--a=\(url)"]])
    let names = ExecLine.Names(name: url, icon: "-\(url)", location: url)
    #expect(try commands("app %c %i %k", [], names) == [["app", url, "--icon", "-\(url)", url]])
  }

  @Test func emptyPlacesLeaveNoArgument() throws {
    #expect(try commands("app %i %k a%k", [], ExecLine.Names(name: "a", icon: "")) == [["app", "a"]])
    #expect(try commands("app %u%k %c%k", [], ExecLine.Names(name: "a")) == [["app", "a"]])
  }

  @Test(
    arguments: [
      ("sh -c \"app %u\"", "u"), ("sh -c %F", "F"), ("/bin/bash -e -lc \"app '%f'\" %%", "f"),
      ("env A=b sh -c %u", "u"),
      ("terminal -e dash -c \"echo %c\"", "c"), ("sh +x -c \"%k\"", "k"),
      ("sh -c \"app \\\"\\$1\\\"\" sh %u", nil),
      ("sh script %u", nil), ("sh --login %u", nil), ("app -c \"%u\"", nil), ("sh -c", nil),
      ("fish -c %u", nil),
      ("sh -c app", nil), ("ssh -c %u", nil), ("sh -x %u", nil),
    ] as [(String, Character?)]
  )
  func codeInAScriptIsFound(_ line: String, _ code: Character?) throws {
    #expect(try ExecLine(parsing: line).codeInScript?.rawValue == code)
  }

  @Test(arguments: [
    ("file://box/a%20b/", "/a b/"), ("file://BOX/a", "/a"), ("file:///a", "/a"), ("file://localhost/a", "/a"),
    ("file://box.example.org/a", nil), ("file://other/a", nil), ("file://box:1/a", nil),
  ])
  func fileURLsCanNameThisMachine(_ url: String, _ path: String?) throws {
    #expect(FileURL.path(of: url, onMachine: "Box") == path.map { Array($0.utf8) })
    let names = ExecLine.Names(name: "a", machine: "Box")
    #expect(try commands("app %F", [url], names) == path.map { [["app", $0]] })
  }

  // MARK: Positions

  @Test(arguments: [
    ("nvim +%l %f", TextPosition(line: 3), ["nvim", "+3", "/a b"]),
    ("code -g %f:%l:%C", TextPosition(line: 3, column: 7), ["code", "-g", "/a b:3:7"]),
    ("code -g %f:%l:%C", TextPosition(line: 3), ["code", "-g", "/a b:3:1"]),
    ("app --at=%l:%u 100%%", TextPosition(line: .max), ["app", "--at=\(Int.max):file:///a%20b", "100%"]),
  ])
  func lineOpensAFileAtAPosition(_ line: String, _ position: TextPosition, _ arguments: [String]) throws {
    let names = ExecLine.Names(name: "a")
    let expansion = try ExecLine(parsingWithPosition: line).expansion(
      opening: ["file:///a%20b"],
      at: position,
      names: names
    )
    #expect(expansion == .commands([arguments.map { Array($0.utf8) }]))
  }

  @Test(arguments: [
    ("nvim %f", 8, "'%l' is missing; write it where the program takes the line"),
    ("nvim +%l", 9, "'%f' is missing; write it where the program takes the file"),
    ("nvim +%l %F", 12, "'%f' is missing; write it where the program takes the file"),
    ("nvim +%l %x", 10, "there is no field code '%x'; write '%%' for '%'"),
    ("", 1, "the line has to begin with a program"),
  ])
  func lineWithoutAPositionIsAnError(_ line: String, _ position: Int, _ reason: String) {
    let error = #expect(throws: ExecError.self) { try ExecLine(parsingWithPosition: line) }
    #expect(error?.position == position)
    #expect(error?.reason == reason)
  }

  @Test(arguments: ["%l", "%C"])
  func codesOfPositionsAreOnlyForTheirKey(_ code: String) {
    let error = #expect(throws: ExecError.self) { try ExecLine(parsing: "app \(code)") }
    #expect(error?.reason == "there is no field code '\(code)'; write '%%' for '%'")
  }

  @Test func pathsNeedNotBeUTF8() throws {
    let line = try ExecLine(parsing: "app %f")
    let expansion = line.expansion(opening: ["file:///%FF%80"], names: ExecLine.Names(name: "a"))
    #expect(expansion == .commands([[Array("app".utf8), [0x2F, 0xFF, 0x80]]]))
  }
}
