import ExampleScreen
import ExternalEvents

/// Apple's example of `handlesExternalEvents(matching:)`.
///
/// A link that names a photo opens a detail window. Every other link opens a window that lists all photos.
@main struct MyPhotos: SceneApplication {
  static let id = "org.example.MyPhotos"

  private let screen = Screen(help: "PHOTO shows a photo, new opens a browser")

  var body: some SceneDeclarations {
    WindowGroup("Photos", id: "browser") {
      PhotosBrowser(on: screen)
    }

    WindowGroup("Photo", id: "detail") { $photo in
      PhotoDetail($photo, on: screen)
    }
    .handlesExternalEvents(matching: ["photoIdentifier="])
  }

  var claims: Claims { Claims(schemes: ["photos"], activityTypes: ["org.example.MyPhotos.view"]) }
}
