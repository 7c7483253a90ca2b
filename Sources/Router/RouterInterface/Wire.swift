@_exported public import SceneTypes

/// The types, methods and errors of the router's interfaces, as on the wire.
///
/// The members below are written by hand. Everything else is generated from the interface descriptions. The table of
/// `InterfaceGenerator` has the facts that the descriptions cannot express, such as the least value of a number.
///
/// The fields of reply types are constants. If the fields were variables, the initializer would copy the whole value a
/// second time, and each event would take longer.
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
