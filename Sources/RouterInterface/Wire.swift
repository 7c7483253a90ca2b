package import Varlink

/// What is said on the wire: the types, methods and errors of the router's interfaces.
///
/// A type holds what its namesake in the interface description holds, field by field and in the same order.
/// In those written for each event the fields are constants: an initializer that sets variables one by one copies the
/// whole value once more.
package enum Wire {
  /// A method: the parameters of a call.
  ///
  /// Conforming types are the whole truth about a method, for both ends.
  package protocol Method: ObjectDecodable, ObjectEncodable, Sendable, Equatable {
    /// The parameters of a reply.
    associatedtype Reply: ObjectDecodable & ObjectEncodable & Sendable & Equatable

    /// The qualified name.
    static var method: StaticString { get }
  }

  /// An error a call can end in: the parameters of an error reply.
  package protocol Failure: ErrorReply, ObjectDecodable, Sendable, Equatable {
    /// The qualified name.
    static var error: StaticString { get }
  }

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

extension Wire.Failure {
  /// The qualified name.
  package var errorName: StaticString { Self.error }
}

extension Wire {
  /// The reply of a call that changes the registry.
  package struct GenerationReply: Sendable, Equatable {
    /// The state of the registry that has the change; decisions of this or a later one have seen it.
    package var generation: Int64

    /// Makes a reply.
    package init(generation: Int64) {
      self.generation = generation
    }
  }
}

extension Wire.GenerationReply: ObjectDecodable, ObjectEncodable {
  /// Reads a reply.
  package init(from object: inout ObjectReader) throws(ParameterError) {
    generation = try object.required("generation")
  }

  /// Writes a reply.
  package func encodeMembers(to object: inout JSONWriter) {
    object.member("generation", generation)
  }
}
