/// What is said on the wire: the types, methods and errors of the router's interfaces.
///
/// All but what is below is generated from the descriptions; what these do not say, such as the least value of a
/// number, is in the table of `InterfaceGenerator`. In types of replies, which are made for each event, the fields are
/// constants: an initializer that sets variables copies the whole value once more.
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
  /// The activity as everybody may see it.
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
  /// The event as monitors see it: without `userInfo`, and so not as it was received.
  package var withoutPrivateParts: Wire.Event {
    Wire.Event(url: url, activity: activity?.withoutUserInfo, contentType: contentType)
  }
}
