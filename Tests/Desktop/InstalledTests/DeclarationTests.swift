import DesktopEntries
import SceneRouting
import Testing

@testable import Installed

/// The declaration that is made from an entry.
struct DeclarationTests {
  private static func declaration(
    _ lines: String,
    exec: String = "app %u",
    isTrusted: Bool = false
  ) -> ApplicationDeclaration? {
    let text = "[Desktop Entry]\nType=Application\nName=App\nExec=\(exec)\n" + lines
    let file = DesktopEntryFile.read(Array(text.utf8), id: "a.desktop", locale: LocaleName("")).file
    guard case .application(let entry) = file else { return nil }
    return ApplicationDeclaration(
      InstalledApplication(entry: entry, path: "/a.desktop", isTrusted: isTrusted)
    )
  }

  private static func declaring(
    _ main: SceneDeclaration = SceneDeclaration(id: "main", title: "App"),
    _ others: [SceneDeclaration] = [],
    claims: Claims = Claims(),
    isSingleScene: Bool = false,
    program: ApplicationDeclaration.Program = .opensOne,
    isTrusted: Bool = false,
    isForNamedEventsOnly: Bool = false
  ) -> ApplicationDeclaration {
    ApplicationDeclaration(
      applicationID: "a",
      scenes: [main] + others,
      claims: claims,
      isSingleScene: isSingleScene,
      program: program,
      source: .file(path: "/a.desktop", desktopID: "a.desktop", isTrusted: isTrusted),
      isForNamedEventsOnly: isForNamedEventsOnly
    )
  }

  @Test(arguments: [
    ("", declaring(isForNamedEventsOnly: true)),
    (
      "MimeType=text/plain;x-scheme-handler/x;",
      declaring(claims: Claims(schemes: ["x"], mimeTypes: ["text/plain"]))
    ),
    ("X-Scened-ActivityTypes=b;a;", declaring(claims: Claims(activityTypes: ["b", "a"]))),
    ("X-Scened-Matching=a;b;", declaring(SceneDeclaration(id: "main", title: "App", matching: ["a", "b"]))),
    ("X-Scened-Matching=", declaring(SceneDeclaration(id: "main", title: "App", matching: []))),
    ("X-Scened-Singleton=true", declaring(SceneDeclaration(id: "main", title: "App", isSingleton: true))),
    ("X-Scened-SingleScene=true", declaring(isSingleScene: true)),
    ("SingleMainWindow=true", declaring(isSingleScene: true, isForNamedEventsOnly: true)),
    (
      """
      Implements=org.freedesktop.UriHandler;
      [org.freedesktop.UriHandler]
      Supports=meet.example.org;
      Patterns=https://example.org/x/*;
      """,
      declaring(claims: Claims(hosts: ["meet.example.org", "example.org/x"]))
    ),
    (
      "X-Scened-Kind=DocumentGroup\nX-Scened-SupportedTypes=image/*;png;",
      declaring(
        SceneDeclaration(id: "main", title: "App", kind: .documentGroup, supportedTypes: ["image/*", "png"])
      )
    ),
    (
      """
      Actions=two;plain;one;
      [Desktop Action one]
      Name=One
      Exec=app
      X-Scened-Matching=1;
      [Desktop Action plain]
      Name=Plain
      Exec=app
      [Desktop Action two]
      Name=Two
      Exec=app
      X-Scened-Singleton=true
      """,
      declaring(
        SceneDeclaration(id: "main", title: "App"),
        [
          SceneDeclaration(id: "two", title: "Two", isSingleton: true),
          SceneDeclaration(id: "one", title: "One", matching: ["1"]),
        ]
      )
    ),
  ])
  func anEntryDeclaresItsScenesAndClaims(_ lines: String, _ expected: ApplicationDeclaration) {
    #expect(Self.declaration(lines) == expected)
  }

  @Test func whatTakesNoArgumentHasToBeNamed() {
    let claims = Claims(mimeTypes: ["text/plain"])
    let lines = "MimeType=text/plain;"
    #expect(
      Self.declaration(lines, exec: "app")
        == Self.declaring(claims: claims, program: .opensMany, isForNamedEventsOnly: true)
    )
    let aware = Self.declaration(lines + "\nX-Scened-Aware=true", exec: "app")
    #expect(aware == Self.declaring(claims: claims, program: .aware))
  }

  @Test(arguments: [
    ("app %u", "", ApplicationDeclaration.Program.opensOne), ("app %f", "", .opensOne),
    ("app %U", "", .opensMany),
    ("app %F", "", .opensMany), ("app", "", .opensMany), ("app %u", "DBusActivatable=true", .opensMany),
    ("app %u", "X-Scened-Aware=true", .aware), ("app %u", "X-Scened-Aware=false", .opensOne),
  ])
  func theProgramGetsEventsAsItsCommandLineSays(
    _ exec: String,
    _ lines: String,
    _ program: ApplicationDeclaration.Program
  ) {
    #expect(Self.declaration(lines, exec: exec)?.program == program)
  }

  @Test func trustIsThatOfTheFile() {
    #expect(
      Self.declaration("X-Scened-Matching=a", isTrusted: true)?.source
        == .file(path: "/a.desktop", desktopID: "a.desktop", isTrusted: true)
    )
  }
}
