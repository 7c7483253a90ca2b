package struct InterfaceDescription: Sendable {
  package struct NamedType: Sendable, Equatable {
    package let name: String
    package let documentation: String
    package let type: InterfaceType
  }

  package struct Method: Sendable, Equatable {
    package let name: String
    package let documentation: String
    package let input: [Field]
    /// Some of these may be absent from one of several replies.
    package let output: [Field]
  }

  package struct ErrorType: Sendable, Equatable {
    package let name: String
    package let documentation: String
    package let fields: [Field]
  }

  package let name: String
  package let documentation: String
  package let types: [NamedType]
  package let methods: [Method]
  package let errors: [ErrorType]
}

package indirect enum InterfaceType: Sendable, Equatable {
  case bool
  case int
  case float
  case string
  /// A JSON object with any members.
  case object
  case named(String)
  case array(InterfaceType)
  case map(InterfaceType)
  case nullable(InterfaceType)
  case structure([Field])
  case enumeration([String])
}

package struct Field: Sendable, Equatable {
  package let name: String
  package let documentation: String
  package let type: InterfaceType
}
