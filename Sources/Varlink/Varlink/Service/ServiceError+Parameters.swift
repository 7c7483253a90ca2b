extension ServiceError {
  /// The error reply to a call whose parameters cannot be read.
  package init(_ error: ParameterError) {
    self = .invalidParameter(error.path)
  }
}

extension Reply {
  /// Begins to read the parameters of an error, absent ones as an object without members; returns nil if the reply is
  /// not an error.
  @_lifetime(copy self)
  public func errorReader() throws(ParameterError) -> ObjectReader? {
    guard let error else { return nil }
    guard let parameters else { return ObjectReader(absentFrom: error.decoding(.ignored)) }
    return try ObjectReader(parameters)
  }
}
