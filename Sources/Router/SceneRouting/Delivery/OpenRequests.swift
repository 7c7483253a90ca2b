struct OpenRequests {
  /// Shared by events that wait for the same new scene: a single-scene application's, a singleton, or one for a text.
  enum Key: Hashable {
    case application(String)
    case declaration(application: String, String)
    case text(application: String, declaration: String, FoldedText)
  }

  struct Request {
    let applicationID: String
    let declarationID: String
    let key: Key?
    var isStarted = false
    /// Whether the program gets the events when it is started, so that it need not ask for them.
    var isHandedOver = false
    var waiting: [PendingEvent]
  }

  private struct Application {
    var requests: [OpenRequestID] = []
    var starts: [StartID: [OpenRequestID]] = [:]
    /// Whether a program has been started that asks for the requests itself.
    var hasStarted = false
    var waitingCount = 0
  }

  private var requests: [OpenRequestID: Request] = [:]
  private var requestsByKey: [Key: OpenRequestID] = [:]
  private var applications: [String: Application] = [:]
  /// Those whose program has been started and has not asked for its requests yet.
  private var awaited: Set<String> = []

  subscript(id: OpenRequestID) -> Request? { requests[id] }

  var all: [OpenRequestID] { requests.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Oldest first.
  func requests(ofApplication application: String) -> [OpenRequestID] {
    applications[application]?.requests ?? []
  }

  func waitingCount(ofApplication application: String) -> Int { applications[application]?.waitingCount ?? 0 }

  /// `nil` if no open request has the key.
  mutating func join(_ key: Key?, _ event: PendingEvent) -> OpenRequestID? {
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

  /// Returns true if this was the last event that waited for the scene.
  mutating func detach(_ event: PendingEvent, from id: OpenRequestID) -> Bool {
    guard let request = requests[id], let index = request.waiting.firstIndex(where: { $0 === event }) else {
      return false
    }
    requests[id]?.waiting.remove(at: index)
    applications[request.applicationID]?.waitingCount -= 1
    return request.waiting.count == 1
  }

  func isStarting(_ application: String) -> Bool {
    applications[application].map { $0.hasStarted || !$0.starts.isEmpty } ?? false
  }

  func hasStarted(_ application: String) -> Bool { applications[application]?.hasStarted == true }

  var awaitedCount: Int { awaited.count }

  mutating func begin(
    _ start: StartID,
    of application: String,
    _ started: [OpenRequestID],
    isAware: Bool
  ) {
    applications[application]?.starts[start] = started
    if isAware { awaited.insert(application) }
    for id in started {
      requests[id]?.isStarted = true
      requests[id]?.isHandedOver = !isAware
    }
  }

  /// Returns the requests that the start served; `nil` if the start is not under way.
  mutating func end(_ start: StartID, of application: String, waitsForProgram: Bool) -> [OpenRequestID]? {
    guard let started = applications[application]?.starts.removeValue(forKey: start) else { return nil }
    if waitsForProgram { applications[application]?.hasStarted = true }
    return started
  }

  /// The started program has asked for its requests, or has answered a request.
  mutating func noteArrival(of application: String) { awaited.remove(application) }

  mutating func remove(_ id: OpenRequestID) -> Request? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    if let key = request.key { requestsByKey[key] = nil }
    applications[request.applicationID]?.requests.removeAll { $0 == id }
    applications[request.applicationID]?.waitingCount -= request.waiting.count
    if applications[request.applicationID]?.requests.isEmpty == true {
      applications[request.applicationID] = nil
      awaited.remove(request.applicationID)
    }
    return request
  }
}
