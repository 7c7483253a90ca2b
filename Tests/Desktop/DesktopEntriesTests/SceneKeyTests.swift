import DesktopEntries
import Testing

struct SceneKeyTests {
  @Test func scenesAreTheMainGroupAndActionsInTheirOrder() throws {
    let entry = try #require(
      application(
        entry(
          """
          Actions=album;print;detail;
          X-Scened-Aware=true
          X-Scened-SingleScene=true
          X-Scened-ActivityTypes=org.example.view;org.example.edit;
          X-Scened-Matching=*;
          X-Scened-Singleton=true

          [Desktop Action detail]
          Name=Detail
          Name[de]=Einzelbild
          Exec=app --detail %u
          X-Scened-Matching=photoIdentifier=;

          [Desktop Action print]
          Name=Print
          Exec=app --print

          [Desktop Action album]
          Name=Album
          Exec=app --album %u
          X-Scened-Kind=DocumentGroup
          X-Scened-SupportedTypes=image/*;album;
          """
        ),
        locale: "de"
      )
    )
    #expect(entry.isAware && entry.isSingleScene && entry.hasSceneKeys)
    #expect(entry.claims.activityTypes == ["org.example.view", "org.example.edit"])
    #expect(entry.scenes.map(\.declarationID) == ["main", "album", "detail"])
    #expect(entry.scenes.map(\.title) == ["App", "Album", "Einzelbild"])
    #expect(entry.scenes.map(\.kind) == [.windowGroup, .documentGroup, .windowGroup])
    #expect(entry.scenes.map(\.matching) == [["*"], nil, ["photoIdentifier="]])
    #expect(entry.scenes.map(\.supportedTypes) == [[], ["image/*", "album"], []])
    #expect(entry.scenes.map(\.isSingleton) == [true, false, false])
    #expect(entry.scenes.map { $0.actionExec?.targetCode } == [nil, .url, .url])
  }

  @Test(arguments: [
    ("", [String]?.none), ("X-Scened-Matching=", []), ("X-Scened-Matching=;", []),
    ("X-Scened-Matching=a;", ["a"]),
  ])
  func absentMatchingIsNoConditionAndEmptyMatchesNothing(_ lines: String, _ matching: [String]?) {
    #expect(application(entry(lines))?.scenes.first?.matching == matching)
  }

  @Test(arguments: [
    ("", false), ("SingleMainWindow=true", true),
    ("SingleMainWindow=true\nX-Scened-SingleScene=false", false),
    ("X-Scened-SingleScene=true", true), ("SingleMainWindow=false", false),
  ])
  func singleMainWindowIsAHint(_ lines: String, _ isSingleScene: Bool) {
    #expect(application(entry(lines))?.isSingleScene == isSingleScene)
  }

  @Test(arguments: [
    ("app %u", "MimeType=text/plain;", false), ("app", "MimeType=text/plain;", true), ("app %u", "", true),
    ("app %U", "X-Scened-Matching=a", false), ("app %f", "MimeType=text/plain;", false),
    ("app %i %c %k", "MimeType=text/plain;", true), ("app", "X-Scened-Aware=true", false),
    ("app", "X-Scened-Matching=a", true), ("app %u", "X-Scened-SingleScene=false", false),
    ("app %u", "Actions=a\n[Desktop Action a]\nName=a\nExec=a\nX-Scened-Singleton=true", false),
    ("app %u", "Actions=a\n[Desktop Action a]\nName=a\nExec=a", true), ("app %u", "X-Scened-Unknown=a", true),
  ])
  func whatClaimsNothingOrTakesNothingHasToBeNamed(_ exec: String, _ lines: String, _ isNamedOnly: Bool) {
    #expect(application(entry(lines, exec: exec))?.isForNamedEventsOnly == isNamedOnly)
  }

  @Test func applicationsThatDBusStartsNeedNoExec() {
    let text = "[Desktop Entry]\nType=Application\nName=a\nDBusActivatable=true\nMimeType=text/plain;\n"
    #expect(application(text)?.isForNamedEventsOnly == false)
    #expect(application(text + "Exec=a '\n") == nil)
  }
}
