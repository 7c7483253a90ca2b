import SceneRouting

/// The runs that this process does under callgrind.
///
/// A run repeats one action. Callgrind counts the instructions of each run.
enum CountedRuns {
  enum Kind: String, CaseIterable {
    case event = "event, hit: sent, decided, acknowledged"
    case bookkeeping = "event to the scene it names: sent, acknowledged"
    case miss = "event, miss: sent, decided"
    case change = "registration of one identifier replaced"
    case activity = "isActive of a scene with one identifier"
    case besideShown = "event, hit, beside 100,000 shown pages"
    case shown = "event for one of 100,000 shown pages"
  }

  /// The number of times that a run repeats its action.
  static let length = 2048
  /// The name of the function that callgrind counts.
  ///
  /// The function does a run and nothing else.
  static let function = "scenebench_counted_run"

  nonisolated(unsafe) fileprivate static var body: (Int) -> Void = { _ in }

  /// Does the run of each kind once to warm up and once to be counted.
  static func runAll(identifierCount: Int) throws {
    let bed = try RoutingBed(count: identifierCount, owners: .oneApplication)
    let hits = (0..<512).map { Event(.url(IdentifierCorpus.hit($0, of: identifierCount))) }
    let misses = (0..<512).map { Event(.url(IdentifierCorpus.miss($0))) }
    let pages = (0..<512).map { Event(.url(RoutingBed.page($0 * 195))) }
    let silent = Event(.activity(Activity(activityType: "org.example.silent")))
    for kind in Kind.allCases {
      body =
        switch kind {
        case .event: { bed.route(hits[$0 % hits.count]) }
        case .bookkeeping: { _ in bed.route(silent, RouteConstraints(sceneID: bed.single)) }
        case .miss: { bed.route(misses[$0 % misses.count]) }
        case .change: { bed.changeRegistration($0) }
        case .activity: { _ in bed.activate(bed.single) }
        case .besideShown: { bed.route(hits[$0 % hits.count]) }
        case .shown: { bed.route(pages[$0 % pages.count]) }
        }
      if kind == .besideShown { try bed.openScenesThatShowPages() }
      for number in 0..<length { body(number) }
      countedRun()
    }
  }
}

/// Does a run; callgrind finds this function by its name.
@c(scenebench_counted_run) @inline(never)
public func countedRun() {
  for number in 0..<CountedRuns.length { CountedRuns.body(number) }
}
