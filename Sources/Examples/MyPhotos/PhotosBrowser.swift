import ExampleScreen
import ExternalEvents

/// A window that lists all photos.
final class PhotosBrowser: WindowContent {
  private let screen: Screen
  @Environment(\.openWindow) private var openWindow
  @Environment(\.dismiss) private var dismiss

  init(on screen: Screen) {
    self.screen = screen
  }

  var body: some WindowModifiers {
    Views()
      .onOpenURL { [self] url in screen.light(self, "opens \(url.absoluteString)") }
      .onContinueUserActivity("org.example.MyPhotos.view") { [self] activity in
        screen.light(self, "continues \(activity.title ?? "")")
      }
      .isActive(screen.isActive(self))
  }

  func run() async throws { await screen.show(self) }

  func raise(activationToken: String?) { screen.activate(self) }
}

// MARK: - In a terminal

extension PhotosBrowser: ScreenWindow {
  var heading: String { "Photos" }
  var text: String { "harbour, mountain, sunset" }

  func perform(_ command: String) {
    if command == "new" { openWindow(id: "browser") } else { openWindow(id: "detail", value: command) }
  }

  func close() { dismiss() }
}
