import RouterInterface

extension RouterConnection {
  /// Returns the records of the last events.
  ///
  /// - Parameters:
  ///   - decision: only the event with this ``EventRecord/decisionID``; nil for all.
  ///   - event: only events with this ``EventRecord/eventID``; nil for all.
  ///   - limit: the largest number of records.
  /// - Returns: the records, with the newest event first. A change of the system's clock does not affect this order.
  /// - Throws: a ``RouterError`` if the router cannot be asked, or if the list would be longer than 1 MiB.
  public func records(
    decision: String? = nil,
    event: String? = nil,
    limit: Int = 20
  ) async throws(RouterError) -> [EventRecord] {
    let call = Wire.ListRecordsCall(decisionID: decision, eventID: event, limit: Int64(limit))
    return try await self.call(call).records
  }

  /// Tells the router to forget the records of events that have ended.
  ///
  /// - Parameter decision: only the record with this ``EventRecord/decisionID``, if there is one; nil for all.
  /// - Throws: a ``RouterError`` if the router cannot be asked.
  public func clearRecords(decision: String? = nil) async throws(RouterError) {
    _ = try await call(Wire.ClearRecordsCall(decisionID: decision))
  }
}
