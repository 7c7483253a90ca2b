import SceneClient

import struct SceneRouting.ShownURL

/// The documents that a command waits for.
///
/// A scene may show a document only some time after it took the event. So a document is closed when no scene shows it
/// any more, or when the scene that took the event is closed.
struct ShownDocuments {
  struct Document {
    let event: Event
    /// The URL of the event, and the one without symbolic links.
    private let urls: [ShownURL]
    /// The scene that took the event.
    let sceneID: String
    fileprivate var wasShown = false

    init(_ event: Event, takenBy sceneID: String) {
      (self.event, self.sceneID) = (event, sceneID)
      urls = [event.url ?? "", event.resolved.resolvedURL].compactMap {
        $0.map { ShownURL(onThisMachine: $0) }
      }
    }

    fileprivate func isShown(as url: String) -> Bool {
      urls.contains(ShownURL(onThisMachine: url))
    }
  }

  private var documents: [Document]
  /// The open scenes, each with the indices of the documents that it shows.
  private var scenes: [String: [Int]] = [:]
  private var hasSnapshot = false
  /// The generation of the snapshot whose parts are still arriving.
  private var unfinished: Int64?
  /// A missing scene may come back, because the router was restarted a moment ago.
  private var isReturning = false

  init(_ documents: [Document]) { self.documents = documents }

  var areClosed: Bool {
    guard hasSnapshot, unfinished == nil, !isReturning else { return false }
    return documents.indices.allSatisfy { index in
      !isShown(index) && (documents[index].wasShown || scenes[documents[index].sceneID] == nil)
    }
  }

  var unshown: [Document] { documents.filter { !$0.wasShown } }

  struct Restart {
    /// The documents that no scene had shown before the restart.
    ///
    /// Only the scene that took the event would tell when they are closed, and scenes get new ids after a restart.
    let lost: [Document]
  }

  /// Returns a value only if the router was restarted.
  ///
  /// The caller then waits for the scenes to come back, and calls ``returned()``.
  mutating func note(_ change: RouterChange) -> Restart? {
    var restart: Restart?
    switch change {
    case .snapshot(let snapshot):
      if snapshot.generation != unfinished {
        if hasSnapshot {
          restart = Restart(lost: unshown)
          documents.removeAll { !$0.wasShown }
          isReturning = true
        }
        (hasSnapshot, scenes) = (true, [:])
      }
      unfinished = snapshot.isComplete ? nil : snapshot.generation
      for scene in snapshot.scenes { note(scene) }
    case .sceneChanged(let scene): note(scene)
    case .sceneClosed(let id): scenes[id] = nil
    default: break
    }
    return restart
  }

  /// After the router did not send all changes.
  mutating func replace(with scenes: [SceneDescription]) {
    self.scenes = [:]
    for scene in scenes { note(scene) }
  }

  mutating func returned() { isReturning = false }

  private mutating func note(_ scene: SceneDescription) {
    let shown = scene.registrations.flatMap(\.showing)
    let indices = documents.indices.filter { index in shown.contains { documents[index].isShown(as: $0) } }
    scenes[scene.id] = indices
    for index in indices { documents[index].wasShown = true }
  }

  private func isShown(_ index: Int) -> Bool { scenes.values.contains { $0.contains(index) } }
}

extension ShownDocuments {
  /// Programs wait at most 1 s between two attempts to reconnect, so there is time for several.
  private static let timeToReturn = Duration.seconds(5)
  /// Until the tool tells the user.
  private static let timeToShow = Duration.seconds(5)

  private enum Step: Sendable {
    case change(RouterChange)
    case timeToReturnIsOver(restart: Int)
    case timeToShowIsOver
  }

  /// `changes` come over `connection`, and begin before the documents are opened.
  ///
  /// Returns `outcomeUnknown` if nobody can tell when every document was closed; after a restart of the router,
  /// standard error says so.
  static func waitUntilClosed(
    _ documents: [Document],
    _ changes: RouterStream<RouterChange>,
    over connection: RouterConnection
  ) async throws -> CommandStatus {
    var shown = ShownDocuments(documents)
    var status = CommandStatus.taken
    let (steps, continuation) = AsyncThrowingStream<Step, any Error>.makeStream()
    func yield(_ step: Step, after time: Duration) -> Task<Void, any Error> {
      Task {
        try await Task.sleep(for: time)
        continuation.yield(step)
      }
    }
    var tasks = [yield(.timeToShowIsOver, after: timeToShow)]
    tasks.append(
      Task {
        do {
          for try await change in changes { continuation.yield(.change(change)) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
    )
    defer { for task in tasks { task.cancel() } }
    var restarts = 0
    for try await step in steps {
      switch step {
      case .change(.dropped): shown.replace(with: try await connection.scenes())
      case .change(let change):
        guard let restart = shown.note(change) else { break }
        restarts += 1
        tasks.append(yield(.timeToReturnIsOver(restart: restarts), after: timeToReturn))
        for document in restart.lost {
          status = .outcomeUnknown
          Terminal.showError(document.unfollowed.printable)
        }
      case .timeToReturnIsOver(let restart): if restart == restarts { shown.returned() }
      case .timeToShowIsOver:
        for document in shown.unshown { Terminal.showError(document.unshown.printable) }
      }
      if shown.areClosed { return status }
    }
    return .outcomeUnknown
  }
}

extension ShownDocuments.Document {
  fileprivate var unshown: String {
    "\(event.summary): scenectl waits until scene \(sceneID) is closed, because the scene does not say what it shows."
  }

  fileprivate var unfollowed: String {
    "\(event.summary): The router was restarted, and scene \(sceneID) had not said what it shows, "
      + "so scenectl cannot tell when it is closed."
  }
}

extension ShownURL {
  /// As in `file:` URLs, in lower case.
  private static let machineName = Host.machineName?.lowercased().utf8.map(\.self) ?? []

  init(onThisMachine url: String) { self.init(url, machineName: Self.machineName) }
}
