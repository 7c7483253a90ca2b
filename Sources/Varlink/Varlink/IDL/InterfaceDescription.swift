/// An interface description in the Varlink interface definition language.
package struct InterfaceDescription: Sendable {
  /// A type that has a name.
  package struct NamedType: Sendable, Equatable {
    /// The name.
    package let name: String
    /// The comment before the type.
    package let documentation: String
    /// The structure or enumeration with this name.
    package let type: InterfaceType
  }

  /// A method.
  package struct Method: Sendable, Equatable {
    /// The name.
    package let name: String
    /// The comment before the method.
    package let documentation: String
    /// The parameters of a call.
    package let input: [Field]
    /// The parameters of a reply.
    ///
    /// If a method has several replies, a parameter may be absent from some of them.
    package let output: [Field]
  }

  /// An error.
  package struct ErrorType: Sendable, Equatable {
    /// The name.
    package let name: String
    /// The comment before the error.
    package let documentation: String
    /// The parameters.
    package let fields: [Field]
  }

  /// The name of the interface.
  package let name: String
  /// The comment before the interface.
  package let documentation: String
  /// The types of the interface, in the order of the text.
  package let types: [NamedType]
  /// The methods of the interface, in the order of the text.
  package let methods: [Method]
  /// The errors of the interface, in the order of the text.
  package let errors: [ErrorType]
}

/// A type of the interface definition language.
package indirect enum InterfaceType: Sendable, Equatable {
  /// `bool`
  case bool
  /// `int`
  case int
  /// `float`
  case float
  /// `string`
  case string
  /// `object`: a JSON object with any members.
  case object
  /// The name of a type that the interface describes.
  case named(String)
  /// `[]T`: an array.
  case array(InterfaceType)
  /// `[string]T`: a map from strings to values.
  case map(InterfaceType)
  /// `?T`: a value that may be null.
  case nullable(InterfaceType)
  /// `(name: T, …)`: a structure with named fields.
  case structure([Field])
  /// `(name, …)`: an enumeration of names.
  case enumeration([String])
}

/// A field of a structure, or a parameter.
package struct Field: Sendable, Equatable {
  /// The name.
  package let name: String
  /// The comment before the field.
  package let documentation: String
  /// The type.
  package let type: InterfaceType
}
