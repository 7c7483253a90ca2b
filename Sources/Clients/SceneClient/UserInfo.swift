import Varlink

extension UserInfo {
  /// Checks that `json` is one JSON object, nested at most 60 levels deep and without repeated names.
  ///
  /// - Throws: a ``RouterError`` with the code ``RouterError/Code/invalidUserInfo``. The description says
  ///   where the error is.
  public init(json: String) throws(RouterError) {
    var document = JSONDocument()
    let bytes = Array(json.utf8)
    do {
      // The router limits the nesting of a whole call, in which this object is inside four other levels.
      let value = try document.parse(bytes.span, nestingLimit: JSONDocument.nestingLimit - 4)
      self.init(bytes: try RawObject(from: value).bytes)
    } catch let error as JSONError {
      throw RouterError(.invalidUserInfo, "The user info is not valid. \(error)")
    } catch {
      throw RouterError(.invalidUserInfo, "The user info is not a JSON object.")
    }
  }
}
