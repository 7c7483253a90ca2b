/// The types, methods and errors of the router's interfaces, as on the wire.
///
/// All of them except the members below are generated from the descriptions. Facts that the descriptions cannot
/// express, such as the least value of a number, are in the table of `InterfaceGenerator`. The fields of reply types
/// are constants, because replies are made for each event and an initializer that sets variables copies the whole value
/// once more.
package enum Wire {
  /// The description of `io.scened.Router`, to be served verbatim.
  package static let routerInterface = String(
    decoding: PackageResources.io_scened_Router_varlink,
    as: UTF8.self
  )

  /// The description of `io.scened.Manager`, to be served verbatim.
  package static let managerInterface = String(
    decoding: PackageResources.io_scened_Manager_varlink,
    as: UTF8.self
  )
}

extension Wire.Activity {
  /// The activity without `userInfo`, as every client may see it.
  package var withoutUserInfo: Wire.Activity {
    Wire.Activity(
      activityType: activityType,
      targetContentIdentifier: targetContentIdentifier,
      webpageURL: webpageURL,
      title: title,
      isEligibleForHandoff: isEligibleForHandoff
    )
  }
}

extension Wire.Event {
  /// The event as monitors see it: without `userInfo`, and therefore encoded anew.
  package var withoutPrivateParts: Wire.Event {
    Wire.Event(
      url: url,
      activity: activity?.withoutUserInfo,
      contentType: contentType,
      line: line,
      column: column
    )
  }
}
