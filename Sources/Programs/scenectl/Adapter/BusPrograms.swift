import DesktopEntries
import QueueExecution
import SceneClient
import SessionBus

/// Players and document viewers as scenes, which show the files that the programs have open.
///
/// A link to such a file raises the program's window. No call changes what a program has open.
@MainActor final class BusPrograms {
  private let bus = BusConnection(on: QueueExecutor(label: "io.scened.programs"))
  private let input = AsyncThrowingStream.makeStream(of: AdapterRequest.self)
  /// By their names on the bus, which are also the keys of their scenes.
  private var programs: [String: Program] = [:]

  fileprivate final class Program {
    let name: String
    let kind: BusProgramKind
    var application: String?
    /// The URL that the scene shows; nil without a scene.
    var file: String?
    var following: Task<Void, Never>?
    /// The file may have changed.
    let changes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    var isRaising = false

    init(_ name: String, _ kind: BusProgramKind) {
      (self.name, self.kind, application) = (name, kind, kind.application)
    }
  }

  /// Only a program that hangs takes so long, and it is asked again then.
  private static let timeToTell = Duration.seconds(30)
  /// Another program should get the link soon if this one hangs.
  private static let timeToTake = Duration.seconds(1)

  /// - Throws: if the connection to the bus ends, the router refuses this user, or no setting says where its socket is.
  func run(connect: @escaping @Sendable () async throws(RouterError) -> RouterConnection) async throws {
    let adapter = Adapter(requestOfStart: nil, connect: connect) { self.hear($0) }
    let names = Task {
      do throws(BusError) {
        try await followNames()
      } catch {
        Terminal.showError("Players and document viewers cannot be reached. \(error)".printable)
        input.continuation.finish(throwing: CommandStatus.error.exitCode)
      }
    }
    defer { names.cancel() }
    try await adapter.run(input) { $0 }
  }

  private func say(_ request: AdapterRequest) { input.continuation.yield(request) }

  private func reply(
    to call: BusCall,
    of program: Program? = nil,
    within limit: Duration = timeToTell
  ) async -> BusConnection.Reply {
    var call = call
    if let program { call.destination = program.name }
    return await withCheckedContinuation { continuation in
      bus.call(call, timeLimit: limit) { continuation.resume(returning: $0) }
    }
  }

  private static func busCall(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
    let bus = "org.freedesktop.DBus"
    return BusCall(member, of: bus, at: "/org/freedesktop/DBus", in: bus, arguments)
  }
}

// MARK: - What the programs have open

extension BusPrograms {
  private func followNames() async throws(BusError) {
    let (reports, continuation) = AsyncStream.makeStream(of: BusConnection.Report.self)
    let bus = "org.freedesktop.DBus"
    let newOwner = SignalMatch("NameOwnerChanged", of: bus, at: "/org/freedesktop/DBus", in: bus)
    for match in [newOwner] + BusProgramKind.all.compactMap(\.change) {
      _ = self.bus.subscribe(match) { continuation.yield($0) }
    }
    let names = try await reply(to: Self.busCall("ListNames")).get()
    for name in names.first?.elements ?? [] { name.text.map(begin) }
    for await report in reports {
      guard case .signal(let signal) = report else { throw .disconnected }
      for program in programs.values where program.kind.change?.includes(signal) == true {
        program.changes.continuation.yield()
      }
      guard newOwner.includes(signal), signal.values.count == 3, let name = signal.values[0].text
      else { continue }
      end(name)
      if signal.values[2].text != "" { begin(name) }
    }
  }

  private func begin(_ name: String) {
    // playerctld only repeats what another player says.
    guard name != "org.mpris.MediaPlayer2.playerctld",
      let kind = BusProgramKind.all.first(where: { name.hasPrefix($0.prefix) })
    else { return }
    let program = Program(name, kind)
    programs[name] = program
    program.following = Task { await follow(program) }
  }

  private func end(_ name: String) {
    guard let program = programs.removeValue(forKey: name) else { return }
    program.following?.cancel()
    if program.file != nil { say(.close(name)) }
  }

  private func follow(_ program: Program) async {
    // A name that comes and goes a thousand times is not asked each time.
    guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return }
    IdleCode.release()
    var change = program.changes.stream.makeAsyncIterator()
    while !Task.isCancelled {
      let isTold = await look(at: program, within: Self.timeToTell)
      if isTold, program.kind.change != nil {
        await change.next()
      } else {
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Brings the scene up to date; false if the program does not tell what it has open.
  private func look(at program: Program, within limit: Duration) async -> Bool {
    if program.application == nil {
      let entry = await reply(to: BusProgramKind.desktopEntry, of: program, within: limit)
      if case .failure(.timedOut) = entry { return false }
      let id = (try? entry.get())?.first?.nestedText ?? ""
      program.application = id.isEmpty ? program.nameOfPlayer : id.asApplicationID
    }
    let reply = await reply(to: program.kind.file, of: program, within: limit)
    // The program may have left the bus meanwhile. One that hangs still has open what it had.
    guard programs[program.name] === program else { return false }
    if case .failure(.timedOut) = reply { return false }
    let told = try? reply.get()
    let file = told?.first?.nestedText.flatMap(Self.fileURL)
    if file != program.file {
      program.file = file
      say(program.state.map { .scene(program.name, $0) } ?? .close(program.name))
      IdleCode.release()
    }
    return told != nil
  }

  /// Nil for all but a file of this machine, so that the pages of browsers, which are players, stay with their adapter.
  private static func fileURL(_ text: String) -> String? {
    if text.hasPrefix("/") { return FileURL.url(ofPath: text.utf8) }
    return FileURL.path(of: text, onMachine: Host.machineName) == nil ? nil : text
  }
}

extension BusPrograms.Program {
  /// Its name on the bus without the number that a second player of the kind gets: `vlc` of `…vlc.instance4711`.
  fileprivate var nameOfPlayer: String {
    let name = name.dropFirst(kind.prefix.count)
    return String(name.firstRange(of: ".instance").map { name[..<$0.lowerBound] } ?? name)
  }

  fileprivate var nameOfFile: String? {
    file.flatMap { FileURL.path(of: $0, onMachine: Host.machineName) }?
      .split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
  }

  fileprivate var state: AdapterScene.State? {
    guard let application, let file else { return nil }
    let registration = Registration(id: "adapter", showing: [file], preferring: [], allowing: [])
    return AdapterScene.State(application: application, title: nameOfFile, registration: registration)
  }
}

extension BusValue {
  /// Of metadata (MPRIS), the text is their URL.
  fileprivate var nestedText: String? {
    switch self {
    case .variant(let value): value.nestedText
    case .array(_, let entries): entries.lazy.compactMap(\.textOfURL).first
    default: text
    }
  }

  private var textOfURL: String? {
    if case .entry(.string("xesam:url"), let value) = self { value.nestedText } else { nil }
  }
}

// MARK: - Links

extension BusPrograms {
  private func hear(_ reply: AdapterReply) {
    switch reply {
    case .delivery(let delivery, let name): Task { await take(delivery, for: name) }
    case .closed(let name, let reason): Terminal.showError("'\(name)' is no window: \(reason)".printable)
    case .error(let error): Terminal.showError(error.sentence.printable)
    default: break
    }
  }

  private func take(_ delivery: Delivery, for name: String) async {
    IdleCode.release()
    let program = programs[name]
    let shown = program?.file
    guard let program, let shown, await look(at: program, within: Self.timeToTake), program.file == shown
    else {
      let reason = "The program has the file open no more, or does not answer."
      return say(.declined(delivery.id, reason: reason))
    }
    IdleCode.release()
    say(.taken(delivery.id))
    if program.isRaising { return }
    program.isRaising = true
    await raise(program, delivery.activationToken)
    program.isRaising = false
    IdleCode.release()
  }

  private func raise(_ program: Program, _ token: String?) async {
    let call = Self.busCall("GetConnectionUnixProcessID", [.string(program.name)])
    guard case .success(let values) = await reply(to: call), case .uint32(let id)? = values.first else {
      return
    }
    let process = CInt(clamping: id)
    let window = RaisedWindow(title: program.nameOfFile, activationToken: token, processID: process)
    let result = await window.raise()
    if result.isRaised { return }
    if let own = program.kind.raise?(token ?? ""), case .success = await reply(to: own, of: program) {
      return
    }
    Terminal.showError(result.sentence.printable)
  }
}
