/// The open requests for scenes, and the events that wait for these scenes.
struct OpenRequests {
  /// The key shared by events that wait for the same new scene.
  enum Key: Hashable {
    /// Any event for a single-scene application.
    case application(String)
    /// Any event for a singleton declaration.
    case declaration(application: String, String)
    /// The events for one declaration that have the same comparison string after folding.
    case text(application: String, declaration: String, FoldedText)
  }

  struct Request {
    let applicationID: String
    let declarationID: String
    let key: Key?
    /// Whether a start of a program for the request has begun.
    var isStarted = false
    /// Whether the program gets the events when it is started, so that it need not ask for them.
    var isHandedOver = false
    /// The waiting events, in the order in which they were routed.
    var waiting: [EventRecord]
  }

  /// The requests to one application.
  private struct Application {
    var requests: [OpenRequestID] = []
    /// The starts under way, each with its requests.
    var starts: [StartID: [OpenRequestID]] = [:]
    /// Whether a program has been started that asks for the requests itself.
    var hasStarted = false
    /// The number of events that wait for the application's scenes.
    var waitingCount = 0
  }

  private var requests: [OpenRequestID: Request] = [:]
  private var requestsByKey: [Key: OpenRequestID] = [:]
  private var applications: [String: Application] = [:]
  /// The applications whose program has been started and has not asked for its requests yet.
  private var awaited: Set<String> = []

  subscript(id: OpenRequestID) -> Request? { requests[id] }

  /// All open requests, oldest first.
  var all: [OpenRequestID] { requests.keys.sorted { $0.rawValue < $1.rawValue } }

  /// The open requests to an application, oldest first.
  func requests(ofApplication application: String) -> [OpenRequestID] {
    applications[application]?.requests ?? []
  }

  /// The number of events that wait for scenes of an application.
  func waitingCount(ofApplication application: String) -> Int { applications[application]?.waitingCount ?? 0 }

  /// Adds an event to the open request with the given key.
  ///
  /// Returns the request's id, or `nil` if no open request has the key.
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

  /// Removes a waiting event from a request.
  ///
  /// Returns true if this was the last event that waited for the scene.
  mutating func leave(_ id: OpenRequestID, _ event: EventRecord) -> Bool {
    guard let request = requests[id], let index = request.waiting.firstIndex(where: { $0 === event }) else {
      return false
    }
    requests[id]?.waiting.remove(at: index)
    applications[request.applicationID]?.waitingCount -= 1
    return request.waiting.count == 1
  }

  /// Whether a program is being started for an application's requests, or has been started and asks for them itself.
  func isStarting(_ application: String) -> Bool {
    applications[application].map { $0.hasStarted || !$0.starts.isEmpty } ?? false
  }

  /// Whether a program has been started that asks for an application's requests itself.
  func hasStarted(_ application: String) -> Bool { applications[application]?.hasStarted == true }

  /// The number of programs that have been started and have not asked for their requests yet.
  var awaitedCount: Int { awaited.count }

  /// Records a start for some of an application's requests.
  ///
  /// `isAware` says whether the started program asks for requests.
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

  /// Records that the start of a program has succeeded or failed.
  ///
  /// Returns the requests that the start served; `nil` if the start is not under way.
  mutating func end(_ start: StartID, of application: String, waitsForProgram: Bool) -> [OpenRequestID]? {
    guard let started = applications[application]?.starts.removeValue(forKey: start) else { return nil }
    if waitsForProgram { applications[application]?.hasStarted = true }
    return started
  }

  /// Records that an application's started program has asked for its requests, or has answered a request.
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
