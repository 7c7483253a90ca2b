import RouterInterface
import SceneRouting
import VarlinkServer

/// How far a list has come that is reported in parts.
///
/// It holds the place of what was listed last, and of what is still to come at most which scenes it is: each part shows
/// what is there when it is made. What opens or closes between two parts is in the list or not.
struct Listing {
  /// What is listed.
  enum Content {
    case scenes(ofApplication: String?)
    case applications
    /// The current activities of these scenes, in this order.
    case activities(of: [SceneID])
    /// Scenes, then applications.
    case everything
  }

  /// Bytes at which a part is full; the last scene or application in it may go beyond.
  static let partSize = 64 << 10
  /// Bytes in a client's queue at which parts wait until it has read them.
  static let pause = 1 << 20

  /// Some of what is listed.
  struct Part {
    var scenes: [Wire.Scene] = []
    var applications: [Wire.Application] = []
    var activities: [Wire.CurrentActivity] = []
  }

  let call: CallID
  let content: Content
  /// Who is charged for it; `nil` if nobody is.
  var user: UserID?
  private var scenePlace: SceneID?
  private var applicationPlace = Int64.min
  private var hasScenes: Bool
  private var hasApplications: Bool
  /// Whose activities are still to come.
  private var remaining: ArraySlice<SceneID> = []

  init(_ content: Content, _ call: CallID) {
    self.call = call
    self.content = content
    switch content {
    case .scenes: (hasScenes, hasApplications) = (true, false)
    case .applications: (hasScenes, hasApplications) = (false, true)
    case .everything: (hasScenes, hasApplications) = (true, true)
    case .activities(let scenes):
      (hasScenes, hasApplications) = (false, false)
      remaining = scenes[...]
    }
  }

  var isFinished: Bool { !hasScenes && !hasApplications && remaining.isEmpty }

  /// Bytes that it holds of what is still to come.
  var size: Int {
    if case .activities(let scenes) = content { scenes.count * MemoryLayout<SceneID>.stride } else { 0 }
  }

  /// What comes next, until `size` bytes are full.
  mutating func nextPart(
    _ router: borrowing Router,
    _ ids: PublicIDs,
    size partSize: Int = Listing.partSize
  ) -> Part {
    var size = 0
    var part = Part()
    if hasScenes {
      var application: String? { if case .scenes(let application) = content { application } else { nil } }
      var following = router.registry.sceneIDs(of: application, after: scenePlace)[...]
      while size < partSize, let scene = following.popFirst() {
        scenePlace = scene
        guard let description = router.registry.description(of: scene) else { continue }
        part.scenes.append(Wire.Scene(description, router, ids))
        size += description.listedSize
      }
      hasScenes = !following.isEmpty
    }
    if hasApplications, size < partSize {
      var following = router.registry.applications(after: applicationPlace)[...]
      while size < partSize, let next = following.popFirst() {
        applicationPlace = next.place
        guard let description = router.registry.description(ofApplication: next.id) else { continue }
        part.applications.append(Wire.Application(description))
        size += description.listedSize
      }
      hasApplications = !following.isEmpty
    }
    while size < partSize, let scene = remaining.popFirst() {
      guard let current = router.registry.activity(of: scene),
        let description = router.registry.description(of: scene)
      else { continue }
      part.activities.append(Wire.CurrentActivity(current, Wire.Scene(description, router, ids)))
      size += description.listedSize + current.listedSize
    }
    return part
  }
}
