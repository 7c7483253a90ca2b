import RouterInterface
import SceneRouting
import VarlinkServer

/// What is left to be told of the registry in a call that tells it piece by piece.
///
/// Holds names alone: each piece shows its scenes as they are when it is made, and those that have gone meanwhile
/// not at all.
struct Listing {
  /// Bytes at which a piece is full, as far as they are counted; in full it is a few times as large at most, or one
  /// scene larger.
  private static let pieceSize = 64 << 10

  let call: CallID
  private var scenes: ArraySlice<SceneID>
  private var applications: ArraySlice<String>
  /// Whether `call` lists applications, where it does not list both.
  let listsApplications: Bool

  init(_ call: CallID, scenes: [SceneID] = [], applications: [String] = [], listsApplications: Bool = false) {
    self.call = call
    self.scenes = scenes[...]
    self.applications = applications[...]
    self.listsApplications = listsApplications
  }

  var isFinished: Bool { scenes.isEmpty && applications.isEmpty }

  /// Whether the scene is told in a later piece anyway.
  func willTell(_ scene: SceneID) -> Bool { scenes.contains(scene) }

  /// Whether the application is told in a later piece anyway.
  func willTell(_ application: String) -> Bool { applications.contains(application) }

  /// The next scenes and applications.
  mutating func nextPiece(of service: RouterService) -> (
    scenes: [Wire.Scene], applications: [Wire.Application]
  ) {
    var size = 0
    var piece: (scenes: [Wire.Scene], applications: [Wire.Application]) = ([], [])
    while size < Self.pieceSize, let id = scenes.popFirst() {
      guard let scene = service.wireScene(id) else { continue }
      piece.scenes.append(scene)
      size += scene.leastSize
    }
    while size < Self.pieceSize, let id = applications.popFirst() {
      guard let application = service.wireApplication(id) else { continue }
      piece.applications.append(application)
      size += application.leastSize
    }
    return piece
  }
}

extension Wire.Scene {
  /// How many bytes it has on the wire at least.
  var leastSize: Int {
    (context.registrations ?? []).reduce(96) { size, registration in
      size + 48 + registration.preferring.leastSize + registration.allowing.leastSize
    }
  }
}

extension Wire.Application {
  /// How many bytes it has on the wire at least.
  var leastSize: Int {
    scenes.reduce(64) {
      $0 + 20 + ($1.matching ?? []).leastSize + ($1.supportedTypes ?? []).leastSize
    }
  }
}

extension [String] {
  fileprivate var leastSize: Int { reduce(0) { $0 + $1.utf8.count + 2 } }
}
