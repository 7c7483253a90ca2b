extension ExecLine {
  package struct Names: Hashable, Sendable {
    package var name: String
    package var icon: String?
    package var location: String?
    /// A `file:` URL with this host names a file of this machine.
    package var machine: String?

    package init(name: String, icon: String? = nil, location: String? = nil, machine: String? = nil) {
      self.name = name
      self.icon = icon
      self.location = location
      self.machine = machine
    }
  }

  package enum Expansion: Hashable, Sendable {
    /// The arguments of the programs to start, in order; bytes, because file names need not be UTF-8.
    case commands([[[UInt8]]])
    /// The program takes files, but this URL names no file of this machine.
    case notAFile(url: String)
  }

  /// `%u` and `%f` give one command for each URL, every other line gives one for all; without a code for URLs it opens
  /// none, so check ``targetCode`` first.
  ///
  /// Inserted values are not parsed again: quotes, `%f` or `$()` in a URL stay as they are. An argument that consists
  /// only of codes without values is left out.
  package func expansion(opening urls: [String], at position: TextPosition? = nil, names: Names) -> Expansion
  {
    let values = Values(names: names, position: position)
    var targets: [[UInt8]] = []
    for url in urls {
      if targetCode == .file || targetCode == .files {
        guard let path = FileURL.path(of: url, onMachine: names.machine) else { return .notAFile(url: url) }
        targets.append(path)
      } else {
        targets.append(Array(url.utf8))
      }
    }
    guard targetCode == .file || targetCode == .url, targets.count > 1 else {
      return .commands([command(opening: targets, values)])
    }
    return .commands(targets.map { command(opening: [$0], values) })
  }

  private struct Values {
    let names: Names
    let position: TextPosition?
  }

  private func command(opening targets: [[UInt8]], _ known: Values) -> [[UInt8]] {
    var command: [[UInt8]] = []
    for pieces in arguments {
      if pieces.count == 1, case .code(let code) = pieces[0] {
        command += values(of: code, targets, known)
        continue
      }
      var argument: [UInt8] = []
      var isFilled = false
      for piece in pieces {
        switch piece {
        case .text(let text):
          argument += Array(text.utf8)
          isFilled = true
        case .code(let code):
          for value in values(of: code, targets, known) {
            argument += value
            isFilled = true
          }
        }
      }
      if isFilled { command.append(argument) }
    }
    return command
  }

  private func values(of code: FieldCode, _ targets: [[UInt8]], _ known: Values) -> [[UInt8]] {
    let (names, position) = (known.names, known.position)
    return switch code {
    case .file, .files, .url, .urls: targets
    case .icon: names.icon.map { $0.isEmpty ? [] : [Array("--icon".utf8), Array($0.utf8)] } ?? []
    case .name: [Array(names.name.utf8)]
    case .location: names.location.map { [Array($0.utf8)] } ?? []
    case .line: position.map { [Array("\($0.line)".utf8)] } ?? []
    case .column: position.map { [Array("\($0.column ?? 1)".utf8)] } ?? []
    }
  }
}
