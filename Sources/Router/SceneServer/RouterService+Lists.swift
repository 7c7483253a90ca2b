import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  func listScenes(_ call: Wire.ListScenesCall, _ id: CallID) -> [Effect] {
    let application = call.applicationID?.asApplicationID
    var listing = Listing(.scenes(ofApplication: application), id)
    let scenes: [SceneDescription]
    if let text = call.sceneID {
      let scene = ids.scene(text).flatMap { router.registry.description(of: $0) }
      let isListed = application == nil || application == scene?.context.applicationID
      scenes = (isListed ? scene : nil).map { [SceneDescription($0, router, ids)] } ?? []
    } else if id.mode == .more {
      list(listing)
      return []
    } else {
      scenes = listing.nextPart(router, ids, size: mostListed).scenes
    }
    reply(id, Wire.ListScenesCall.Reply(scenes: scenes, generation: Int64(router.registry.generation)))
    return []
  }

  func listApplications(_ call: Wire.ListApplicationsCall, _ id: CallID) -> [Effect] {
    var listing = Listing(.applications, id)
    let applications: [ApplicationDescription]
    if let application = call.applicationID?.asApplicationID {
      let description = router.registry.description(ofApplication: application)
      applications = description.map { [ApplicationDescription($0)] } ?? []
    } else if id.mode == .more {
      list(listing)
      return []
    } else {
      applications = listing.nextPart(router, ids, size: mostListed).applications
    }
    let generation = Int64(router.registry.generation)
    reply(id, Wire.ListApplicationsCall.Reply(applications: applications, generation: generation))
    return []
  }

  func listActivities(_ call: Wire.ListActivitiesCall, _ id: CallID) -> [Effect] {
    let scenes = router.registry.scenesWithActivities(of: call.applicationID?.asApplicationID)
    var listing = Listing(.activities(of: scenes), id)
    if id.mode == .more {
      // The place of the last scene is not enough: a scene that becomes active changes its place in the list.
      guard let user = charge(listing.size, for: id) else { return [] }
      listing.user = user
      list(listing)
    } else {
      let activities = listing.nextPart(router, ids, size: mostListed).activities
      reply(id, Wire.ListActivitiesCall.Reply(activities: activities))
    }
    return []
  }

  /// The estimate for an item is less than three times its real size, so such a list is too long for one reply.
  private var mostListed: Int { 3 * router.limits.replySize }

  func reply(_ id: CallID, _ list: some ObjectEncodable) {
    let limit = router.limits.replySize
    var writer = JSONWriter()
    writer.reply(list)
    // The limit does not count the NUL byte that ends the message.
    guard writer.count - 1 <= limit else { return refuse(id, .limitExceeded(.replySize, maximum: limit)) }
    port.reply(to: id, list)
  }

  private func list(_ listing: Listing) {
    let connection = listing.call.connection
    streams[connection] = .list(listing)
    reportPart(to: connection)
  }

  /// Returns whether another part is to follow without a pause.
  func reportPart(of listing: Listing) -> Bool {
    var listing = listing
    let connection = listing.call.connection
    guard port.queuedBytes(of: connection) < Listing.pause else {
      port.noticeDrain(of: connection)
      return false
    }
    let part = listing.nextPart(router, ids)
    let generation = Int64(router.registry.generation)
    switch listing.content {
    case .applications:
      let reply = Wire.ListApplicationsCall.Reply(applications: part.applications, generation: generation)
      port.reply(to: listing.call, reply, continues: !listing.isFinished)
    case .activities:
      let reply = Wire.ListActivitiesCall.Reply(activities: part.activities)
      port.reply(to: listing.call, reply, continues: !listing.isFinished)
    case .scenes, .everything:
      let reply = Wire.ListScenesCall.Reply(scenes: part.scenes, generation: generation)
      port.reply(to: listing.call, reply, continues: !listing.isFinished)
    }
    streams[connection] = listing.isFinished ? nil : .list(listing)
    if listing.isFinished { release(listing) }
    return !listing.isFinished
  }

  func release(_ listing: Listing) {
    if let user = listing.user { _ = router.charge(-listing.size, to: user) }
  }

  func monitor(_ call: Wire.MonitorCall, _ id: CallID) -> [Effect] {
    let (user, limits) = (client(of: id).user, router.limits)
    guard monitors.count(of: user) < limits.monitorsPerUser else {
      refuse(id, .limitExceeded(.monitorsPerUser, maximum: limits.monitorsPerUser))
      return []
    }
    // While the monitor is open, its user is charged for the most bytes of news that it can hold.
    guard charge(limits.pendingBytesPerMonitor, for: id) != nil else { return [] }
    streams[id.connection] = .monitor
    monitors.add(Monitor(call, id, user))
    reportPart(to: id.connection)
    return []
  }
}
