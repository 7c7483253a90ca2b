import RandomNumbers

/// Makes one random scenario.
struct ScenarioGenerator {
  var random: SplitMix64
  let options: RandomScenarios.Options

  /// The chance in percent that an identifier comes from the event; one value for the whole scenario.
  let relevance: Int

  /// The chance in percent that a target does not take the event; one value for the whole scenario.
  private let reluctance: Int

  /// Whether scenes have few registrations, so that more events go to declarations.
  private let hasQuietScenes: Bool

  /// Whether most applications are declared by files.
  private let hasFiles: Bool

  /// Whether applications claim events.
  private let hasClaims: Bool

  /// Whether events have hosts that applications claim.
  let hasHosts: Bool

  /// Whether most events are about files of types that applications claim.
  let hasTypes: Bool

  /// Whether scenes show URLs.
  private let hasShownURLs: Bool

  /// Whether the user chose applications for senders.
  private let hasSenderChoices: Bool

  private static let applicationIds = [
    [], ["alpha"], ["alpha"], ["alpha"], ["alpha", "beta"], ["beta", "alpha"], ["alpha", "gamma"],
    ["beta", "gamma", "alpha"], ["gamma", "beta", "alpha"],
  ]

  /// The tokens that the event was made of.
  var eventTokens: [String] = []

  /// The URLs of the event.
  private var eventURLs: [String] = []

  init(seed: UInt64, options: RandomScenarios.Options) {
    random = SplitMix64(seed: seed)
    self.options = options
    relevance = random.pick([10, 40, 70, 90])
    reluctance = random.pick([0, 40, 80, 100])
    hasQuietScenes = random.chance(40)
    let hasFiles = random.chance(40) && options.hasFiles
    self.hasFiles = hasFiles
    let hasTypes = random.chance(30) && options.hasFileTypes
    self.hasTypes = hasTypes
    hasClaims = random.chance(hasFiles || hasTypes ? 85 : 40)
    hasHosts = random.chance(hasClaims ? 100 : 15) && !hasTypes
    hasShownURLs = random.chance(30)
    hasSenderChoices = random.chance(30) && options.hasSenderChoices
  }

  mutating func scenario(named name: String) -> Scenario {
    var event = event()
    event.sender = random.pick(Self.senders + [nil])
    if let url = event.document?.url, case .url = event.content,
      url.prefix(5).lowercased() == "file:", random.chance(50)
    {
      event.resolvedURL = random.chance(80) ? resolvedURL() : respelled(url)
    }
    eventURLs = [event.document?.url, event.resolvedURL].compactMap { $0 }
    let ids = random.pick(
      hasHosts || hasTypes || hasFiles || hasSenderChoices
        ? Self.applicationIds.suffix(5) : Self.applicationIds
    )
    let applications = ids.map { application($0, event) }
    let scenes = scenes(of: applications)
    let sceneIds = scenes.map(\.id)
    var reports: [Scenario.ActivityReport] = []
    if !scenes.isEmpty, random.chance(50) {
      for _ in 1...random.number(in: 1...4) {
        reports.append(Scenario.ActivityReport(sceneId: random.pick(sceneIds), isActive: random.chance(80)))
      }
    }
    return Scenario(
      name,
      applications: applications,
      scenes: scenes,
      activityReports: reports,
      preferences: preferences(ids + ["ghost", "nowhere"]),
      hostChoices: hostChoices(ids + ["ghost", "nowhere"]),
      senderChoices: senderChoices(ids + ["ghost", "nowhere"], event),
      fileTypes: hasTypes ? Self.fileTypes : nil,
      machineName: options.hasMachineName && random.chance(50) ? "box" : nil,
      event: event,
      constraints: constraints(applicationIds: ids + scenes.map(\.applicationId), sceneIds: sceneIds)
    )
  }

  private mutating func preferences(_ ids: [String]) -> Scenario.Preferences {
    var preferences = Scenario.Preferences()
    guard options.hasPreferences else { return preferences }
    if random.chance(hasFiles ? 20 : 40) { preferences.others.defaultId = random.pick(ids) }
    if hasFiles { preferences.others.order = list(of: ids) }
    guard hasTypes else { return preferences }
    for _ in 1...random.number(in: 1...5) {
      preferences.types[random.pick(Self.knownTypes), default: Scenario.Preference()].defaultId = random.pick(
        ids
      )
    }
    for _ in 0..<random.number(in: 1...4) {
      preferences.types[random.pick(Self.knownTypes), default: Scenario.Preference()].order = list(of: ids)
    }
    for _ in 0..<random.number(in: 2...5) {
      preferences.types[random.pick(Self.knownTypes), default: Scenario.Preference()].removed = list(of: ids)
    }
    return preferences
  }

  private mutating func list(of ids: [String]) -> [String] {
    (1...random.number(in: 1...3)).map { _ in random.pick(ids) }
  }

  private mutating func hostChoices(_ ids: [String]) -> [String: String] {
    guard hasHosts, options.hasHostChoices, random.chance(65) else { return [:] }
    var choices: [String: String] = [:]
    for _ in 1...random.number(in: 1...3) { choices[hostChoice()] = random.pick(ids) }
    return choices
  }

  private static let senders = ["chat", "chat", "mail", "alpha"]

  private mutating func senderChoices(
    _ ids: [String],
    _ event: Scenario.Event
  ) -> [Scenario.SenderChoice] {
    guard hasSenderChoices else { return [] }
    var choices: [Scenario.SenderChoice] = []
    for _ in 1...random.number(in: 1...4) {
      let scheme = event.document?.url.prefix { $0 != ":" }.lowercased() ?? "https"
      let subject: Scenario.SenderChoice.Subject =
        random.chance(hasTypes ? 70 : 10)
        ? .mimeType(random.pick(Self.knownTypes)) : .scheme(random.chance(85) ? scheme : "lute")
      let sender = random.chance(70) ? event.sender ?? "chat" : random.pick(Self.senders)
      let isChosen = choices.contains { $0.sender == sender && $0.subject == subject }
      guard !isChosen else { continue }
      choices.append(
        Scenario.SenderChoice(sender: sender, subject: subject, applicationId: random.pick(ids))
      )
    }
    return choices
  }

  private mutating func constraints(applicationIds: [String], sceneIds: [String]) -> Scenario.Constraints {
    var constraints = Scenario.Constraints()
    if random.chance(8) {
      constraints.sceneId = sceneIds.isEmpty || random.chance(20) ? "nowhere" : random.pick(sceneIds)
    } else if random.chance(20) {
      let isUnknown = applicationIds.isEmpty || random.chance(15)
      constraints.applicationId = isUnknown ? "nowhere" : random.pick(applicationIds)
    }
    if random.chance(30) { constraints.originSceneId = random.pick(sceneIds + ["elsewhere"]) }
    constraints.allowNewScene = !random.chance(10)
    return constraints
  }

  private mutating func application(_ id: String, _ event: Scenario.Event) -> Scenario.Application {
    let declarations = (0..<random.pick([0, 1, 2, 3, 3, 4, 4])).map { declaration("d\($0 + 1)") }
    return Scenario.Application(
      id,
      declarations,
      claims: hasClaims && random.chance(75) ? claims(of: event) : nil,
      isSingleScene: random.chance(20),
      source: source(),
      isForNamedEventsOnly: hasFiles && random.chance(10)
    )
  }

  private mutating func source() -> Scenario.Source {
    guard hasFiles, random.chance(70) else { return .connection }
    return .file(isTrusted: random.chance(40))
  }

  private mutating func claims(of event: Scenario.Event) -> Scenario.Claims {
    var claims = Scenario.Claims()
    if random.chance(50) { claims.schemes = [random.pick(Self.schemes)] }
    if random.chance(50) { claims.activityTypes = [random.pick(Self.activityTypes)] }
    if random.chance(50) { claims.mimeTypes = [random.pick(Self.mimeTypes)] }
    if hasTypes { claims.mimeTypes = (0..<random.number(in: 1...3)).map { _ in claimedType() } }
    if hasHosts { claims.hosts = (0..<random.number(in: 0...4)).map { _ in hostClaim() } }
    if random.chance(hasTypes ? 20 : 60) {
      switch event.content {
      case .url(let url): claims.schemes.append(String(url.unicodeScalars.prefix { $0 != ":" }))
      case .activity(let activity): claims.activityTypes.append(activity.activityType)
      }
    }
    return claims
  }

  private mutating func declaration(_ id: String) -> Scenario.Declaration {
    let matching = random.chance(40) ? nil : identifiers(0...3)
    let isSingleton = random.chance(hasQuietScenes ? 60 : 30)
    let answers =
      random.chance(reluctance) && random.chance(50) ? .decline : Scenario.OpenAnswer.open(sceneAnswer())
    guard random.chance(38) else {
      return .window(id, matching, isSingleton: isSingleton, answers: answers)
    }
    let types = (0..<random.number(in: 1...3)).map { _ in supportedType() }
    return .document(id, types, matching: matching, isSingleton: isSingleton, answers: answers)
  }

  private mutating func scenes(of applications: [Scenario.Application]) -> [Scenario.Scene] {
    let count = random.chance(20) ? random.number(in: 7...11) : random.pick([0, 1, 2, 2, 3, 4])
    var scenes: [Scenario.Scene] = []
    for number in 0..<count {
      // The order of the names differs from the opening order. A router that sorts by name therefore fails.
      let scene = scene("s\((number * 5 + 3) % 13)", applications)
      let isRefused = applications.contains { isTooMany(scene, besides: scenes, $0) }
      if !isRefused { scenes.append(scene) }
    }
    return scenes
  }

  /// Whether to leave out a scene because its single-scene application or singleton declaration already has a scene.
  ///
  /// If the application is declared over a connection, one in ten such scenes is kept nevertheless.
  private mutating func isTooMany(
    _ scene: Scenario.Scene,
    besides others: [Scenario.Scene],
    _ application: Scenario.Application
  ) -> Bool {
    guard scene.applicationId == application.id else { return false }
    let siblings = others.filter { $0.applicationId == application.id }
    let isSecond = application.isSingleScene && !siblings.isEmpty
    let isSecondOfKind =
      application.declarations.contains { $0.isSingleton && $0.id == scene.declarationId }
      && siblings.contains { $0.declarationId == scene.declarationId }
    return (isSecond || isSecondOfKind) && (application.source != .connection || random.chance(90))
  }

  private mutating func scene(_ id: String, _ applications: [Scenario.Application]) -> Scenario.Scene {
    let application = random.pick(applications + [Scenario.Application("ghost")])
    let declared = application.declarations.map(\.id)
    let kinds = declared + declared + ["undeclared"]
    let registrations = (0..<random.pick(hasQuietScenes ? [0, 0, 0, 0, 1] : [0, 1, 1, 1, 2, 3])).map {
      number in
      Scenario.Registration(
        "r\(number)",
        showing: shownURLs(),
        preferring: identifiers(0...2),
        allowing: identifiers(0...2)
      )
    }
    return Scenario.Scene(
      id,
      of: application.id,
      random.chance(75) ? random.pick(kinds) : nil,
      registrations: registrations,
      answers: sceneAnswer()
    )
  }

  private mutating func shownURLs() -> [String] {
    guard hasShownURLs, random.chance(60) else { return [] }
    return (1...random.number(in: 1...2)).map { _ in
      let url = random.chance(80) && !eventURLs.isEmpty ? random.pick(eventURLs) : self.url()
      return respelled(url, isSame: random.chance(70))
    }
  }

  private mutating func sceneAnswer() -> Scenario.SceneAnswer {
    guard random.chance(reluctance) else { return .acknowledge }
    return random.chance(30) ? .close : .decline
  }
}
