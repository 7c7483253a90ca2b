import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  /// Returns `false` for an unknown method; the most frequent methods come first.
  func carryOut(_ call: borrowing Call, _ id: CallID) -> Bool {
    let method = call.method
    if method.equals(Wire.AcknowledgeDeliveryCall.method) {
      take(call, id) { acknowledge($0, id) }
    } else if method.equals(Wire.SendEventCall.method) {
      take(call, id) { send($0, id) }
    } else if method.equals(Wire.UpdateSceneCall.method) {
      take(call, id) { update($0, id) }
    } else if method.equals(Wire.SetRegistrationCall.method) {
      take(call, id) { setRegistration($0, id) }
    } else if method.equals(Wire.SetActivityCall.method) {
      take(call, id) { setActivity($0, id) }
    } else if method.equals(Wire.DeclineDeliveryCall.method) {
      take(call, id) { decline($0, id) }
    } else if method.equals(Wire.OpenSceneCall.method) {
      take(call, id, needsMore: true) { openScene($0, id) }
    } else if method.equals(Wire.CloseSceneCall.method) {
      take(call, id) { closeScene($0, id) }
    } else if method.equals(Wire.RemoveRegistrationCall.method) {
      take(call, id) { removeRegistration($0, id) }
    } else if method.equals(Wire.AwaitEventCall.method) {
      take(call, id) { awaitEvent($0, id) }
    } else if method.equals(Wire.ExplainEventCall.method) {
      take(call, id) { explain($0, id) }
    } else if method.equals(Wire.DeclareApplicationCall.method) {
      take(call, id, needsMore: true) { declare($0, id) }
    } else if method.equals(Wire.DeclineOpenRequestCall.method) {
      take(call, id) { declineOpenRequest($0, id) }
    } else if method.equals(Wire.ListScenesCall.method) {
      take(call, id) { listScenes($0, id) }
    } else if method.equals(Wire.ListApplicationsCall.method) {
      take(call, id) { listApplications($0, id) }
    } else if method.equals(Wire.ListActivitiesCall.method) {
      take(call, id) { listActivities($0, id) }
    } else if method.equals(Wire.TakeActivityCall.method) {
      take(call, id) { takeActivity($0, id) }
    } else if method.equals(Wire.MonitorCall.method) {
      take(call, id, needsMore: true) { monitor($0, id) }
    } else if method.equals(Wire.ListRecordsCall.method) {
      take(call, id) { listRecords($0, id) }
    } else if method.equals(Wire.ClearRecordsCall.method) {
      take(call, id) { (_: Wire.ClearRecordsCall) in clearRecords(id) }
    } else if method.equals(Wire.GetStatisticsCall.method) {
      take(call, id) { (_: Wire.GetStatisticsCall) in getStatistics(id) }
    } else if method.equals(Wire.ReloadCall.method) {
      take(call, id) { (_: Wire.ReloadCall) in reload(id) }
    } else {
      return false
    }
    return true
  }

  private func take<Parameters: ObjectDecodable>(
    _ call: borrowing Call,
    _ id: CallID,
    needsMore: Bool = false,
    _ answer: (Parameters) -> [Effect]
  ) {
    if needsMore, id.mode != .more { return port.reply(to: id, error: ServiceError.expectedMore) }
    do throws(ParameterError) {
      var reader = try call.parameterReader()
      let parameters = try Parameters(from: &reader)
      try reader.finish()
      carryOut(answer(parameters))
    } catch {
      port.reply(to: id, error: ServiceError(error))
    }
  }

  /// The call must not have changed anything; `subject` is what the error is about, as the caller spelled it.
  func refuse(_ id: CallID, _ error: CallError, about subject: String? = nil) {
    noteRefusal(id, error)
    port.reply(to: id, error: Wire.RouterErrorReply(error, about: subject, ids))
  }

  /// Refuses the call and returns `nil` if the user would exceed `bytesPerUser`.
  func charge(_ bytes: Int, for id: CallID) -> UserID? {
    let user = client(of: id).user
    if router.charge(bytes, to: user) { return user }
    _ = router.charge(-bytes, to: user)
    refuse(id, .limitExceeded(.bytesPerUser, maximum: router.limits.bytesPerUser))
    return nil
  }

  func reply(_ id: CallID, afterChange change: Result<[Effect], CallError>) -> [Effect] {
    switch change {
    case .failure(let error):
      refuse(id, error)
      return []
    case .success(let effects):
      port.reply(to: id, Wire.SetRegistrationCall.Reply(generation: Int64(router.registry.generation)))
      return effects
    }
  }

  func reply(
    _ id: CallID,
    afterSettling settling: Result<[Effect], CallError>,
    about subject: String
  ) -> [Effect] {
    switch settling {
    case .failure(let error):
      refuse(id, error, about: subject)
      return []
    case .success(let effects):
      port.reply(to: id, NoParameters())
      return effects
    }
  }

  /// The end of the reading answers the call.
  private func reload(_ id: CallID) -> [Effect] {
    if let reload { reload(id) } else { port.reply(to: id, Reload(loaded: 0, problems: [])) }
    return []
  }

  private func getStatistics(_ id: CallID) -> [Effect] {
    var events: [String: Int64] = ["notRouted": Int64(router.notRoutedCount)]
    for (result, count) in router.endCounts { events[result.rawValue] = Int64(count) }
    port.reply(
      to: id,
      Statistics(
        generation: Int64(router.registry.generation),
        startedUSec: startedUSec,
        scenes: Int64(counts.scenes),
        applications: Int64(router.registry.applications().count),
        connections: Int64(counts.connections),
        pendingDeliveries: Int64(router.pendingDeliveryCount),
        missing: router.missingCount.map { Int64($0) },
        events: events
      )
    )
    return []
  }
}

extension ReplyPort {
  func reply(to id: CallID, _ parameters: some ObjectEncodable, continues: Bool = false) {
    reply(to: id, continues: continues) { parameters.encodeMembers(to: &$0) }
  }
}
