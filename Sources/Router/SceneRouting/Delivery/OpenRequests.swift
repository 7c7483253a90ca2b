/// The requests for scenes that are open, and the events that wait for them.
struct OpenRequests {
  /// What two events have in common that wait for the same new scene.
  enum Key: Hashable {
    /// Any event for a single-scene application.
    case application(String)
    /// Any event for a singleton declaration.
    case declaration(application: String, String)
    /// An event whose comparison string folds to the text.
    case text(application: String, declaration: String, FoldedText)
  }

  struct Request {
    let applicationID: String
    let declarationID: String
    let key: Key?
    /// Whether a program has been or is being started for it.
    var isStarted = false
    /// In the order in which they were routed.
    var waiting: [EventRecord]
  }

  /// What one application is asked for.
  private struct Application {
    var requests: [OpenRequestID] = []
    /// The starts under way, and what they are for.
    var starts: [StartID: [OpenRequestID]] = [:]
    /// Whether a program that is to ask for the requests has been started.
    var hasStarted = false
    /// How many events wait for its scenes.
    var waitingCount = 0
  }

  private var requests: [OpenRequestID: Request] = [:]
  private var requestsByKey: [Key: OpenRequestID] = [:]
  private var applications: [String: Application] = [:]

  subscript(id: OpenRequestID) -> Request? { requests[id] }

  /// All of them, oldest first.
  var all: [OpenRequestID] { requests.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Those that an application is asked for, oldest first.
  func requests(ofApplication application: String) -> [OpenRequestID] {
    applications[application]?.requests ?? []
  }

  /// How many events wait for scenes of an application.
  func waitingCount(ofApplication application: String) -> Int { applications[application]?.waitingCount ?? 0 }

  /// Lets an event wait for a scene that an application was asked for already; `nil` if it was not.
  mutating func join(_ key: Key?, _ event: EventRecord) -> OpenRequestID? {
    guard let key, let id = requestsByKey[key], let application = requests[id]?.applicationID else {
      return nil
    }
    requests[id]?.waiting.append(event)
    applications[application]?.waitingCount += 1
    return id
  }

  mutating func insert(_ id: OpenRequestID, _ request: Request) {
    requests[id] = request
    if let key = request.key { requestsByKey[key] = id }
    applications[request.applicationID, default: Application()].requests.append(id)
    applications[request.applicationID]?.waitingCount += request.waiting.count
  }

  /// Lets an event wait no longer; returns whether no other waits for the scene.
  mutating func leave(_ id: OpenRequestID, _ event: EventRecord) -> Bool {
    guard let request = requests[id], let index = request.waiting.firstIndex(where: { $0 === event }) else {
      return false
    }
    requests[id]?.waiting.remove(at: index)
    applications[request.applicationID]?.waitingCount -= 1
    return request.waiting.count == 1
  }

  /// Whether a program has been or is being started for any of an application's requests.
  func isStarting(_ application: String) -> Bool {
    applications[application].map { $0.hasStarted || !$0.starts.isEmpty } ?? false
  }

  /// Whether a program was started that is to ask for an application's requests.
  func hasStarted(_ application: String) -> Bool { applications[application]?.hasStarted == true }

  /// Notes a start for some of an application's requests.
  mutating func begin(_ start: StartID, of application: String, _ started: [OpenRequestID]) {
    applications[application]?.starts[start] = started
    for id in started { requests[id]?.isStarted = true }
  }

  /// Notes the end of a start; returns what it was for, or nil if it is not under way.
  mutating func end(_ start: StartID, of application: String, waitsForProgram: Bool) -> [OpenRequestID]? {
    guard let started = applications[application]?.starts.removeValue(forKey: start) else { return nil }
    if waitsForProgram { applications[application]?.hasStarted = true }
    return started
  }

  mutating func remove(_ id: OpenRequestID) -> Request? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    if let key = request.key { requestsByKey[key] = nil }
    applications[request.applicationID]?.requests.removeAll { $0 == id }
    applications[request.applicationID]?.waitingCount -= request.waiting.count
    if applications[request.applicationID]?.requests.isEmpty == true {
      applications[request.applicationID] = nil
    }
    return request
  }
}
