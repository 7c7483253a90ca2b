@testable import DesktopEntries

/// Reads a desktop entry, and compares the result with the keys in a ``PlainKeyFile``.
func checkEntry(_ bytes: [UInt8]) {
  let (file, complaints) = DesktopEntryFile.read(bytes, id: "a.desktop", locale: LocaleName("de_AT"))
  let lineCount = max(1, lines(of: bytes).count)
  precondition(complaints.allSatisfy { 1...lineCount ~= $0.line }, "\(complaints)")
  precondition(complaints.hasErrors == (file == .broken), "a broken file has an error")
  let plain = PlainKeyFile(bytes)
  let main = "Desktop Entry"
  switch file {
  case .application(let entry): check(entry, plain)
  case .mask: precondition(bytes.isEmpty || plain.boolean("Hidden", in: main) == true)
  case .notAnApplication: precondition(plain.string("Type", in: main) != "Application")
  case .broken: break
  }
}

private func check(_ entry: DesktopEntry, _ plain: PlainKeyFile) {
  let main = "Desktop Entry"
  precondition(plain.string("Type", in: main) == "Application" && plain.boolean("Hidden", in: main) != true)
  let names = ["Name[de_AT]", "Name[de]", "Name"].compactMap { plain.string($0, in: main) }
  // Without a name in UTF-8, the name is read as Latin 1.
  precondition(names.first?.unicodeScalars.elementsEqual(entry.name.unicodeScalars) ?? true, "another name")
  precondition(entry.isDBusActivatable == (plain.boolean("DBusActivatable", in: main) ?? false))
  precondition(entry.runsInTerminal == (plain.boolean("Terminal", in: main) ?? false))
  precondition(entry.isAware == (plain.boolean("X-Scened-Aware", in: main) ?? false))
  let exec = plain.string("Exec", in: main)
  precondition((exec != nil) == (entry.exec != nil) && (exec != nil || entry.isDBusActivatable))
  if let exec { check(exec: exec, entry.exec) }

  let types = plain.strings("MimeType", in: main) ?? []
  let claimed = entry.claims.mimeTypes + entry.claims.schemes.map { DesktopEntry.type(ofScheme: $0) }
  precondition(claimed.sorted() == types.filter { MIMEType.isValid($0) }.sorted(), "other types: \(claimed)")
  precondition(entry.claims.activityTypes == plain.strings("X-Scened-ActivityTypes", in: main) ?? [])
  precondition(entry.claims.hosts.allSatisfy { UriHandler.isHostClaim($0) })

  let actions = plain.strings("Actions", in: main) ?? []
  precondition(entry.scenes.first?.declarationID == "main")
  precondition(Set(entry.scenes.map(\.declarationID)).count == entry.scenes.count)
  for scene in entry.scenes {
    let group = scene.declarationID == "main" ? main : "Desktop Action \(scene.declarationID)"
    precondition(group == main || actions.contains(scene.declarationID))
    precondition(scene.matching == plain.strings("X-Scened-Matching", in: group))
    precondition(scene.supportedTypes == plain.strings("X-Scened-SupportedTypes", in: group) ?? [])
    precondition(scene.isSingleton == (plain.boolean("X-Scened-Singleton", in: group) ?? false))
    precondition(scene.kind.rawValue == plain.string("X-Scened-Kind", in: group) ?? "WindowGroup")
  }
}

// MARK: - Exec

/// Parses each line of the input as a command line, and then one command line that has all lines as quoted words.
func checkExec(_ bytes: [UInt8]) {
  let words = lines(of: bytes).compactMap { String(validating: $0, as: UTF8.self) }
  for word in words { check(exec: word, try? ExecLine(parsing: word)) }
  guard let program = words.first, !program.isEmpty, !program.contains("=") else { return }
  let line = words.map { ExecLine.quoted($0) }.joined(separator: " ")
  let command = (try? ExecLine(parsing: line))?.expansion(opening: [], names: ExecLine.Names(name: ""))
  precondition(command == .commands([words.map { Array($0.utf8) }]), "the quoted words are others: \(line)")
}

/// Checks that a command line stays the same after writing and reading.
///
/// Also checks that the program gets links and names unchanged.
private func check(exec text: String, _ exec: ExecLine?) {
  guard let exec else { return }
  let written = exec.text(inserting: [], at: 0)
  precondition((try? ExecLine(parsing: written)) == exec, "the written line is another: \(written)")
  let inserted = try? ExecLine(parsing: exec.text(inserting: ["a b"], at: 1))
  precondition(inserted?.words.count == exec.words.count + 1)
  _ = exec.codeInScript
  checkExpansion(of: exec)
}

/// Compares the command that opens a hostile link with the command that opens a harmless link.
///
/// The hostile link has characters with a meaning in shells and in command lines. They must arrive unchanged.
private func checkExpansion(of exec: ExecLine) {
  let hostile = #"file:///a"'`$(id)\%25f%25%25u%20;&|<>"#
  let hostilePath = #"/a"'`$(id)\%f%%u ;&|<>"#
  let takesFiles = exec.targetCode == .file || exec.targetCode == .files
  let commands = commandLines(exec, ["file:///1", hostile], name: "%u \"", path: "$k")
  let plain = commandLines(exec, ["file:///1", "file:///2"], name: "NAME", path: "PATH")
  precondition(commands.count == (exec.targetCode == .file || exec.targetCode == .url ? 2 : 1))
  precondition(commands.count == plain.count)
  let second = takesFiles ? "/2" : "file:///2"
  for (command, plain) in zip(commands, plain) {
    precondition(command.first == Array(exec.program.utf8), "another program")
    precondition(command.count == plain.count, "a value became several arguments or none")
    for (argument, plain) in zip(command, plain) where argument != plain {
      let text = String(decoding: plain, as: UTF8.self)
      precondition([second, "NAME", "PATH"].contains { text.contains($0) }, "another argument: \(text)")
    }
    let last = exec.targetCode == nil ? nil : Array((takesFiles ? hostilePath : hostile).utf8)
    if let last, command == commands.last {
      precondition(command.contains { isPart(last, of: $0) }, "the link did not arrive")
    }
  }
  if takesFiles {
    let expansion = exec.expansion(opening: ["x:/1"], names: ExecLine.Names(name: ""))
    precondition(expansion == .notAFile(url: "x:/1"))
  }
}

private func commandLines(_ exec: ExecLine, _ urls: [String], name: String, path: String) -> [[[UInt8]]] {
  let names = ExecLine.Names(name: name, icon: "icon", location: path)
  guard case .commands(let commands) = exec.expansion(opening: urls, names: names) else {
    preconditionFailure("a file is taken for none")
  }
  return commands
}

private func isPart(_ text: [UInt8], of argument: [UInt8]) -> Bool {
  argument.indices.contains { argument[$0...].starts(with: text) }
}
