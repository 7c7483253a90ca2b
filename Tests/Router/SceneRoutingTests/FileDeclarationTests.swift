import Testing

@testable import SceneRouting

/// Replacing the declarations of files with new declarations.
struct FileDeclarationTests {
  private static let client = Client(user: UserID(rawValue: 1000))

  private static func declaration(_ id: String, scheme: String = "x") -> ApplicationDeclaration {
    ApplicationDeclaration(
      applicationID: id,
      scenes: [SceneDeclaration(id: "main")],
      claims: Claims(schemes: [scheme]),
      source: .file(path: "/\(id)", desktopID: "\(id).desktop", isTrusted: true)
    )
  }

  private static func files(_ declarations: ApplicationDeclaration...) -> FileDeclarations {
    FileDeclarations(applications: declarations)
  }

  private static func order(_ router: borrowing Router) -> [String] {
    router.registry.applications().map(\.id)
  }

  @Test func filesAreInTheOrderOfTheirIDsAfterConnections() throws {
    var router = Router()
    let files = Self.files(Self.declaration("d"), Self.declaration("a"), Self.declaration("c"))
    _ = router.replaceFiles(with: files, now: 0)
    #expect(Self.order(router) == ["a", "c", "d"])
    _ = try router.declare(ApplicationDeclaration(applicationID: "e", scenes: []), by: Self.client, now: 0)
      .get()
    #expect(Self.order(router) == ["e", "a", "c", "d"])
  }

  /// `app-more.desktop` comes before `app.desktop`, because `-` sorts before the dot.
  ///
  /// Other programs sort their lists in the same way.
  @Test func desktopIDsAreSortedAsWhole() {
    var router = Router()
    _ = router.replaceFiles(with: Self.files(Self.declaration("app"), Self.declaration("app-more")), now: 0)
    #expect(Self.order(router) == ["app-more", "app"])
  }

  @Test func onlyWhatHasChangedIsReported() throws {
    var router = Router()
    let (a, b, c) = (Self.declaration("a"), Self.declaration("b"), Self.declaration("c"))
    func replace(_ declarations: ApplicationDeclaration...) -> [Effect] {
      router.replaceFiles(with: FileDeclarations(applications: declarations), now: 0)
    }
    #expect(replace() == [] && router.registry.generation == 0)
    #expect(replace(a, c) == [.applicationChanged("a"), .applicationChanged("c")])
    #expect(router.registry.generation == 1)
    #expect(replace(a, c) == [] && router.registry.generation == 1)
    #expect(replace(a, b, c) == [.applicationChanged("b")])
    #expect(Self.order(router) == ["a", "b", "c"])
    let other = Self.declaration("b", scheme: "y")
    #expect(replace(a, other, c) == [.applicationChanged("b")])
    #expect(replace(c) == [.applicationRemoved("a"), .applicationRemoved("b")])
    #expect(replace(Self.declaration("d"), c) == [.applicationChanged("d")])
    #expect(Self.order(router) == ["c", "d"])
    #expect(replace() == [.applicationRemoved("c"), .applicationRemoved("d")])
    #expect(Self.order(router) == [])
  }

  @Test func newOnesFindPlacesBetweenOthers() {
    var router = Router()
    var ids = ["a", "z"]
    for number in 0..<40 {
      // Each new id sorts after `a` and before all other ids.
      ids.insert("b" + String(repeating: "a", count: 40 - number), at: 1)
      _ = router.replaceFiles(with: FileDeclarations(applications: ids.map { Self.declaration($0) }), now: 0)
      #expect(Self.order(router) == ids.sorted())
    }
  }

  @Test(arguments: [
    ([nil, nil], [1024, 2048]), ([5, nil], [nil, 1029]), ([nil, 1024], [512, nil]),
    ([nil, nil, 3], [1, 2, nil]),
    ([nil, 1], [1024, 2048]), ([7, nil, 8], [1024, 2048, 3072]), ([7, 8], [nil, nil]), ([], []),
  ])
  func placesRiseAndStay(_ present: [Int?], _ assigned: [Int?]) {
    var places = FilePlaces()
    for place in present { places.append(place) }
    #expect(places.assigned() == assigned)
  }

  /// The declaration of a connection counts until the connection removes it.
  ///
  /// After that, the latest declaration of the file counts.
  @Test func connectionsComeBeforeFiles() throws {
    var router = Router()
    _ = router.replaceFiles(with: Self.files(Self.declaration("a")), now: 0)
    let own = ApplicationDeclaration(applicationID: "a", scenes: [])
    _ = try router.declare(own, by: Self.client, now: 0).get()
    let description = router.registry.description(ofApplication: "a")
    #expect(description?.desktopID == "a.desktop" && description?.isRunning == true)
    #expect(router.replaceFiles(with: Self.files(Self.declaration("a", scheme: "y")), now: 0) == [])
    #expect(router.registry.description(ofApplication: "a")?.declaration == own)
    #expect(router.withdrawDeclaration(of: "a", now: 0) == [.applicationChanged("a")])
    #expect(router.registry.description(ofApplication: "a")?.declaration.claims.schemes == ["y"])
    _ = try router.declare(own, by: Self.client, now: 0).get()
    #expect(router.replaceFiles(with: FileDeclarations(), now: 0) == [])
    #expect(router.registry.description(ofApplication: "a")?.desktopID == nil)
    #expect(router.withdrawDeclaration(of: "a", now: 0) == [.applicationRemoved("a")])
  }

  @Test func whatWaitsForAnApplicationThatIsRemovedIsResumed() throws {
    var router = Router()
    _ = router.replaceFiles(with: Self.files(Self.declaration("a"), Self.declaration("b")), now: 0)
    guard
      case .success(.accepted(let event, let effects)) = router.send(
        Event(.url("x:1")),
        EventOptions(),
        from: Self.client,
        now: 0
      ), case .start(application: "a")? = effects.last
    else { throw CallError.noSuchApplication }
    let removal = router.replaceFiles(with: Self.files(Self.declaration("b")), now: 0)
    #expect(removal.first == .applicationRemoved("a"))
    #expect(removal.last == .resume(event))
    #expect(router.resume(event, now: 0).last == .start(application: "b"))
    guard let start = router.takeStart(of: "b", now: 0) else { throw CallError.noSuchApplication }
    #expect(router.startEnded(start, failure: StartFailure(reason: "no"), now: 0).last == .resume(event))
    guard case .ended(_, let end)? = router.resume(event, now: 0).last else { throw CallError.noSuchEvent }
    #expect(end.settlement?.result == .launchFailed && end.settlement?.reason == "no")
    #expect(end.earlierAttempts.map(\.settlement.reason) == ["applicationGone"])
  }

  @Test func whatTheUsersListsSayIsReplacedToo() throws {
    var router = Router()
    let applications = [Self.declaration("a"), Self.declaration("b")]
    let query = RouteQuery(Event(.url("x:1")), RouteConstraints())
    for said in [ClaimPreferences(defaultApplication: "b"), ClaimPreferences(order: ["b"])] {
      let files = FileDeclarations(applications: applications, preferences: [.scheme("x"): said])
      _ = router.replaceFiles(with: files, now: 0)
      #expect(router.registry.decide(query).applicationID == "b")
      let generation = router.registry.generation
      _ = router.replaceFiles(with: files, now: 0)
      #expect(router.registry.generation == generation)
      _ = router.replaceFiles(with: FileDeclarations(applications: applications), now: 0)
      #expect(router.registry.decide(query).applicationID == "a")
      #expect(router.registry.generation == generation + 1)
    }
  }

  @Test func theUsersChoicesForHostsAreReplacedToo() throws {
    var router = Router()
    let applications = [Self.declaration("a", scheme: "https"), Self.declaration("b", scheme: "https")]
    let choices = [try #require(HostClaim("example.org")): UserChoice("b")]
    let query = RouteQuery(Event(.url("https://example.org/")), RouteConstraints())
    for _ in 0..<2 {
      _ = router.replaceFiles(
        with: FileDeclarations(applications: applications, hostChoices: choices),
        now: 0
      )
      #expect(router.registry.decide(query).applicationID == "b")
      #expect(router.registry.generation == 2)
    }
    _ = router.replaceFiles(with: FileDeclarations(applications: applications), now: 0)
    #expect(router.registry.decide(query).applicationID == "a")
  }

  private struct Types: FileTypeDatabase {
    let end: String

    func type(ofFileNamed name: [UInt8]) -> String? {
      name.reversed().starts(with: end.utf8.reversed()) ? "text/x" : nil
    }

    func kinds(of type: String) -> [[String]] { [[type]] }
  }

  /// The database of file types is replaced together with the applications, in one step.
  ///
  /// If both are the same as before, the generation of the registry stays the same.
  @Test func typesOfFilesAreReplacedToo() throws {
    var router = Router()
    let application = ApplicationDeclaration(
      applicationID: "a",
      scenes: [SceneDeclaration(id: "main")],
      claims: Claims(mimeTypes: ["text/x"]),
      source: .file(path: "/a", desktopID: "a.desktop", isTrusted: true)
    )
    let query = RouteQuery(Event(.url("file:///a.x")), RouteConstraints())
    for (end, generation, id) in [(".x", 2, "a"), (".x", 2, "a"), (".y", 3, nil), (nil, 4, nil)] {
      let files = FileDeclarations(applications: [application], fileTypes: end.map { Types(end: $0) })
      _ = router.replaceFiles(with: files, now: 0)
      #expect(router.registry.decide(query).applicationID == id)
      #expect(router.registry.generation == UInt64(generation))
    }
  }

  /// A name of more than 255 bytes has no type, because no file name is longer (NAME_MAX).
  @Test func longNamesHaveNoType() throws {
    let database = Types(end: ".x")
    for (count, isKnown) in [(255, true), (256, false)] {
      let name = String(repeating: "a", count: count - 2) + ".x"
      let type = try #require(FileType(Event(.url("file:///\(name)")), database))
      #expect(type.kinds == (isKnown ? [["text/x"]] : []))
    }
  }
}
