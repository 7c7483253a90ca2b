import RouterInterface
import SceneRouting
import VarlinkServer

/// Stores where the next part begins and no items, so that each part shows the state at the time when it is made.
///
/// A scene or application that opens or closes between two parts may or may not be listed.
struct Listing {
  enum Content {
    case scenes(ofApplication: String?)
    case applications
    /// The current activities of these scenes, in this order.
    case activities(of: [SceneID])
    /// All scenes, followed by all applications.
    case everything
  }

  /// In bytes; the last item of a part is not cut, so the part can be larger.
  static let partSize = 64 << 10
  /// The list pauses while a client has not read this many bytes.
  static let pause = 1 << 20

  struct Part {
    var scenes: [SceneDescription] = []
    var applications: [ApplicationDescription] = []
    var activities: [CurrentActivity] = []
  }

  let call: CallID
  let content: Content
  /// `nil` if nobody is charged.
  var user: UserID?
  private var scenePlace: SceneID?
  private var applicationPlace = Int64.min
  private var hasScenes: Bool
  private var hasApplications: Bool
  /// The scenes that no part has reached yet.
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

  /// The bytes for the ids of the scenes.
  var size: Int {
    if case .activities(let scenes) = content { scenes.count * MemoryLayout<SceneID>.stride } else { 0 }
  }

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
        part.scenes.append(SceneDescription(description, router, ids))
        size += description.listedSize
      }
      hasScenes = !following.isEmpty
    }
    if hasApplications, size < partSize {
      var following = router.registry.applications(after: applicationPlace)[...]
      while size < partSize, let next = following.popFirst() {
        applicationPlace = next.place
        guard let description = router.registry.description(ofApplication: next.id) else { continue }
        part.applications.append(ApplicationDescription(description))
        size += description.listedSize
      }
      hasApplications = !following.isEmpty
    }
    while size < partSize, let scene = remaining.popFirst() {
      guard let current = router.registry.activity(of: scene),
        let description = router.registry.description(of: scene)
      else { continue }
      part.activities.append(CurrentActivity(current, SceneDescription(description, router, ids)))
      size += description.listedSize + current.listedSize
    }
    return part
  }
}

extension CurrentActivity {
  init(_ current: SceneActivity, _ scene: SceneDescription) {
    let activity = current.activity.withoutUserInfo
    self.init(scene: scene, activity: activity, sinceUSec: current.sinceUSec)
  }
}

extension SceneDescription {
  init(_ scene: ListedScene, _ router: borrowing Router, _ ids: PublicIDs) {
    self.init(
      context: scene.context,
      runtime: Runtime(
        sceneID: ids.text(scene.id),
        processID: scene.processID.map { Int64($0) },
        openedUSec: scene.openedUSec,
        activeUSec: scene.activeUSec,
        pendingDeliveries: Int64(router.pendingDeliveryCount(of: scene.id))
      )
    )
  }
}

extension ApplicationDescription {
  init(_ application: ListedApplication) {
    let declaration = application.declaration
    let path: String? = if case .file(let path, _, _) = declaration.source { path } else { nil }
    self.init(
      id: declaration.applicationID,
      scenes: declaration.scenes,
      claims: declaration.claims,
      isSingleScene: declaration.isSingleScene,
      desktopID: application.desktopID,
      source: path == nil ? .connection : .file,
      path: path,
      isRunning: application.isRunning
    )
  }
}
