import Varlink

/// The data that an application adds to an activity: a JSON object, which the router passes on byte for byte.
public struct UserInfo: Sendable, Hashable {
  /// The text of the object.
  public let json: String

  /// Checks that `json` is one JSON object, nested at most 60 levels deep and without repeated names.
  ///
  /// - Throws: a ``RouterError`` with the code ``RouterError/Code/invalidUserInfo``. The description says
  ///   where the error is.
  public init(json: String) throws(RouterError) {
    var document = JSONDocument()
    let bytes = Array(json.utf8)
    do {
      // The router limits the nesting of a whole call. In a call, this object is inside four other levels.
      let value = try document.parse(bytes.span, nestingLimit: JSONDocument.nestingLimit - 4)
      self.init(try RawObject(from: value))
    } catch let error as JSONError {
      throw RouterError(.invalidUserInfo, "The user info is not valid. \(error)")
    } catch {
      throw RouterError(.invalidUserInfo, "The user info is not a JSON object.")
    }
  }

  /// Takes an object that the router has checked.
  init(_ object: RawObject) {
    json = String(decoding: object.bytes, as: UTF8.self)
  }
}
