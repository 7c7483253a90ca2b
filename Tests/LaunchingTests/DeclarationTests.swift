import DesktopEntries
import SceneRouting
import Testing

@testable import Launching

/// What an entry declares.
struct DeclarationTests {
  private static func declaration(_ lines: String) -> ApplicationDeclaration? {
    let text = "[Desktop Entry]\nType=Application\nName=App\nExec=app %u\n" + lines
    let file = DesktopEntryFile.read(Array(text.utf8), id: "a.desktop", locale: LocaleName("")).file
    guard case .application(let entry) = file else { return nil }
    return ApplicationDeclaration(InstalledApplication(entry: entry, path: "/a.desktop", rank: 3))
  }

  private static func declaring(
    _ main: SceneDeclaration = SceneDeclaration(id: "main", title: "App"),
    _ others: [SceneDeclaration] = [],
    claims: Claims = Claims(),
    isSingleScene: Bool = false
  ) -> ApplicationDeclaration {
    ApplicationDeclaration(
      applicationID: "a.desktop",
      scenes: [main] + others,
      claims: claims,
      isSingleScene: isSingleScene,
      source: .file(path: "/a.desktop", rank: 3)
    )
  }

  @Test(arguments: [
    ("", declaring()),
    (
      "MimeType=text/plain;x-scheme-handler/x;",
      declaring(claims: Claims(schemes: ["x"], mimeTypes: ["text/plain"]))
    ),
    ("X-Scened-ActivityTypes=b;a;", declaring(claims: Claims(activityTypes: ["b", "a"]))),
    ("X-Scened-Matching=a;b;", declaring(SceneDeclaration(id: "main", title: "App", matching: ["a", "b"]))),
    ("X-Scened-Matching=", declaring(SceneDeclaration(id: "main", title: "App", matching: []))),
    ("X-Scened-Singleton=true", declaring(SceneDeclaration(id: "main", title: "App", isSingleton: true))),
    ("X-Scened-SingleScene=true", declaring(isSingleScene: true)),
    ("SingleMainWindow=true", declaring(isSingleScene: true)),
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
}
