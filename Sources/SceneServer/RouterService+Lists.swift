import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  func listScenes(_ call: Wire.ListScenes, _ id: CallID) -> [Effect] {
    if id.mode == .more, call.sceneID == nil {
      list(Listing(.scenes(ofApplication: call.applicationID), id))
      return []
    }
    var scenes: [SceneID] {
      guard let text = call.sceneID else { return router.registry.sceneIDs(of: call.applicationID) }
      return ids.scene(text).map { [$0] } ?? []
    }
    var list: [Wire.Scene] = []
    var size = 0
    for scene in scenes where size <= mostListed {
      guard let description = router.registry.description(of: scene),
        call.applicationID == nil || call.applicationID == description.context.applicationID
      else { continue }
      list.append(Wire.Scene(description, router, ids))
      size += description.listedSize
    }
    reply(id, Wire.ListScenes.Reply(scenes: list, generation: Int64(router.registry.generation)))
    return []
  }

  func listApplications(_ call: Wire.ListApplications, _ id: CallID) -> [Effect] {
    if id.mode == .more, call.applicationID == nil {
      list(Listing(.applications, id))
      return []
    }
    let applications = call.applicationID.map { [$0] } ?? router.registry.applications().map(\.id)
    var list: [Wire.Application] = []
    var size = 0
    for application in applications where size <= mostListed {
      guard let description = router.registry.description(ofApplication: application) else { continue }
      list.append(Wire.Application(description))
      size += description.listedSize
    }
    reply(
      id,
      Wire.ListApplications.Reply(applications: list, generation: Int64(router.registry.generation))
    )
    return []
  }

  /// The sum of listed sizes beyond which a list is too long: none is three times the bytes that it stands for.
  private var mostListed: Int { 3 * router.limits.replySize }

  /// Answers with a list in one reply, unless that is too long.
  private func reply(_ id: CallID, _ list: some ObjectEncodable) {
    let limit = router.limits.replySize
    var writer = JSONWriter()
    writer.reply(list)
    // The NUL does not count.
    guard writer.count - 1 <= limit else { return refuse(id, .limitExceeded(.replySize, maximum: limit)) }
    port.reply(to: id, list)
  }

  /// Answers with a list in parts.
  private func list(_ listing: Listing) {
    let connection = listing.call.connection
    streams[connection] = .list(listing)
    reportPart(to: connection)
  }

  /// Reports the next part of a list; returns whether others are to follow at once.
  func reportPart(of listing: Listing) -> Bool {
    var listing = listing
    let connection = listing.call.connection
    guard port.queuedBytes(of: connection) < Listing.pause else {
      port.noticeDrain(of: connection)
      return false
    }
    let (scenes, applications) = listing.nextPart(router, ids)
    let generation = Int64(router.registry.generation)
    if case .applications = listing.content {
      let reply = Wire.ListApplications.Reply(applications: applications, generation: generation)
      port.reply(to: listing.call, reply, continues: !listing.isFinished)
    } else {
      let reply = Wire.ListScenes.Reply(scenes: scenes, generation: generation)
      port.reply(to: listing.call, reply, continues: !listing.isFinished)
    }
    streams[connection] = listing.isFinished ? nil : .list(listing)
    return !listing.isFinished
  }

  func monitor(_ call: Wire.Monitor, _ id: CallID) -> [Effect] {
    let (user, limits) = (client(of: id).user, router.limits)
    guard monitors.count(of: user) < limits.monitorsPerUser else {
      refuse(id, .limitExceeded(.monitorsPerUser, maximum: limits.monitorsPerUser))
      return []
    }
    // What may wait for it is charged for as long as it is there.
    guard router.charge(limits.pendingBytesPerMonitor, to: user) else {
      _ = router.charge(-limits.pendingBytesPerMonitor, to: user)
      refuse(id, .limitExceeded(.bytesPerUser, maximum: limits.bytesPerUser))
      return []
    }
    streams[id.connection] = .monitor
    monitors.add(Monitor(call, id, user))
    reportPart(to: id.connection)
    return []
  }
}
