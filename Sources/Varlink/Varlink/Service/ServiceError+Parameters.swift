extension ServiceError {
  /// The answer to parameters that cannot be read.
  package init(_ error: ParameterError) {
    self = .invalidParameter(error.path)
  }
}

extension Reply {
  /// Reads the parameters of an error, which may be absent; nil if the reply is no error.
  @_lifetime(copy self)
  public func errorReader() throws(ParameterError) -> ObjectReader? {
    guard let error else { return nil }
    guard let parameters else { return ObjectReader(absentFrom: error.decoding(.ignored)) }
    return try ObjectReader(parameters)
  }
}
