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
    /// In the order in which they were routed.
    var waiting: [EventRecord]
  }

  /// What one application is asked for.
  private struct Application {
    var requests: [OpenRequestID] = []
    /// The start under way, or of which the application has yet to be seen.
    var start: Start?
    /// How many events wait for its scenes.
    var waitingCount = 0
  }

  /// A start of a program, and the requests that it is for.
  private struct Start {
    let id: StartID
    let requests: [OpenRequestID]
    var hasEnded = false
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

  /// Notes a start for some of an application's requests; false if one is under way.
  mutating func begin(_ start: StartID, of application: String, _ started: [OpenRequestID]) -> Bool {
    guard applications[application]?.start == nil else { return false }
    applications[application]?.start = Start(id: start, requests: started)
    return true
  }

  /// Ends a start, unless `keepsStarted`, which keeps others from beginning; returns the requests that it was for.
  ///
  /// `nil` if it is not under way.
  mutating func end(_ id: StartID, of application: String, keepsStarted: Bool) -> [OpenRequestID]? {
    guard let start = applications[application]?.start, start.id == id, !start.hasEnded else { return nil }
    if keepsStarted {
      applications[application]?.start?.hasEnded = true
    } else {
      applications[application]?.start = nil
    }
    return start.requests
  }

  /// Whether a program was started for an application's requests, and has not asked for them.
  func hasStarted(_ application: String) -> Bool { applications[application]?.start?.hasEnded == true }

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
