import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  /// Bytes in a client's queue at which pieces of a list wait until it has read them: 1 MiB.
  static let listingPause = 1 << 20

  func wireScene(_ id: SceneID) -> Wire.Scene? {
    guard let scene = router.registry.description(of: id) else { return nil }
    return Wire.Scene(
      scene,
      processID: scenes[id].flatMap { processID(of: $0.call) }.map { Int64($0) },
      pendingDeliveries: router.pendingDeliveryCount(of: id),
      names
    )
  }

  func wireApplication(_ id: String) -> Wire.Application? {
    router.registry.description(ofApplication: id).map { Wire.Application($0) }
  }

  func listScenes(_ call: Wire.ListScenes, _ id: CallID) {
    var ids = router.registry.sceneIDs(of: call.applicationID)
    if let text = call.sceneID {
      let scene = names.number(.scene, text).map { SceneID(rawValue: $0) }
      ids = ids.filter { $0 == scene }
    }
    if id.mode == .more { return go(on: Listing(id, scenes: ids)) }
    // To show a scene takes long if it holds much.
    var size = 0
    for scene in ids {
      size += router.registry.identifierBytes(of: scene)
      guard size <= router.limits.replySize else { return refuseList(id) }
    }
    size = 0
    var list: [Wire.Scene] = []
    for scene in ids.lazy.compactMap(wireScene) {
      size += scene.leastSize
      guard size <= router.limits.replySize else { return refuseList(id) }
      list.append(scene)
    }
    replyList(id, Wire.ListScenes.Reply(scenes: list, generation: Int64(router.registry.generation)))
  }

  func listApplications(_ call: Wire.ListApplications, _ id: CallID) {
    let ids = router.registry.declaredApplicationIDs()
      .filter { call.applicationID == nil || $0 == call.applicationID }
    if id.mode == .more { return go(on: Listing(id, applications: ids, listsApplications: true)) }
    var size = 0
    var list: [Wire.Application] = []
    for application in ids.lazy.compactMap(wireApplication) {
      size += application.leastSize
      guard size <= router.limits.replySize else { return refuseList(id) }
      list.append(application)
    }
    let generation = Int64(router.registry.generation)
    replyList(id, Wire.ListApplications.Reply(applications: list, generation: generation))
  }

  private func refuseList(_ id: CallID) {
    refuse(id, .limitExceeded(.replySize, maximum: router.limits.replySize))
  }

  private func replyList(_ id: CallID, _ list: some ObjectEncodable) {
    var writer = JSONWriter()
    writer.reply(list)
    // The NUL does not count.
    if writer.count - 1 > router.limits.replySize { refuseList(id) } else { port.reply(to: id, list) }
  }

  /// Tells the next pieces of a list, as many as the client reads.
  func go(on listing: Listing) {
    var listing = listing
    let connection = listing.call.connection
    repeat {
      guard port.queuedBytes(of: connection) < Self.listingPause else {
        streams[connection] = .listing(listing)
        return port.noticeDrain(of: connection)
      }
      let piece = listing.nextPiece(of: self)
      let generation = Int64(router.registry.generation)
      if listing.listsApplications {
        let reply = Wire.ListApplications.Reply(applications: piece.applications, generation: generation)
        port.reply(to: listing.call, reply, continues: !listing.isFinished)
      } else {
        let reply = Wire.ListScenes.Reply(scenes: piece.scenes, generation: generation)
        port.reply(to: listing.call, reply, continues: !listing.isFinished)
      }
    } while !listing.isFinished
    streams[connection] = nil
  }
}
