import ExampleScreen
import ExternalEvents

/// A window that shows one photo and prefers the photo's links.
final class PhotoDetail: WindowContent {
  @Binding private var photo: String?

  private let screen: Screen
  @Environment(\.openWindow) private var openWindow
  @Environment(\.dismiss) private var dismiss

  init(_ photo: Binding<String?>, on screen: Screen) {
    _photo = photo
    self.screen = screen
  }

  var body: some WindowModifiers {
    Views()
      .handlesExternalEvents(preferring: photo.map { ["photoIdentifier=\($0)"] } ?? [], allowing: [])
      .onOpenURL { [self] url in try show(url.absoluteString, "opens \(url.absoluteString)") }
      .onContinueUserActivity("org.example.MyPhotos.view") { [self] activity in
        try show(activity.targetContentIdentifier ?? "", "continues \(activity.title ?? "")")
      }
      .userActivity("org.example.MyPhotos.view", element: photo) { photo, activity in
        activity.title = photo
        activity.targetContentIdentifier = "photoIdentifier=\(photo)"
        activity.isEligibleForHandoff = true
      }
      .title(heading)
      .isActive(screen.isActive(self))
  }

  func run() async throws { await screen.show(self) }

  func raise(activationToken: String?) { screen.activate(self) }

  /// Shows the photo that an identifier names.
  ///
  /// - Throws: an ``OtherPhoto`` if the window already shows another photo. For example, a window with
  ///   `photoIdentifier=sun` also gets links with `photoIdentifier=sunset`, which contain the window's identifier.
  private func show(_ identifier: String, _ reason: String) throws(OtherPhoto) {
    let named = identifier.split(separator: "photoIdentifier=", maxSplits: 1).last?.prefix { $0 != "&" }
    let wanted = named.map(String.init)
    if let photo, photo != wanted { throw OtherPhoto(shown: photo) }
    photo = wanted
    screen.light(self, reason)
  }
}

/// The error of a window that already shows another photo.
struct OtherPhoto: Error, CustomStringConvertible {
  let shown: String

  var description: String { "the window shows '\(shown)'" }
}

// MARK: - In a terminal

extension PhotoDetail: ScreenWindow {
  var heading: String { "Photo \(photo ?? "")" }
  var text: String { photo.map { "(the photo '\($0)')" } ?? "" }

  func perform(_ command: String) {
    if command == "new" { openWindow(id: "browser") } else { openWindow(id: "detail", value: command) }
  }

  func close() { dismiss() }
}
