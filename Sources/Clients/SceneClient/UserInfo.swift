import Varlink

/// Application data that travels with an activity: a JSON object, handed on byte for byte.
public struct UserInfo: Sendable, Hashable {
  /// The text of the object.
  public let json: String

  /// Checks that `json` is one JSON object, of at most 60 levels and without a name given twice.
  ///
  /// - Throws: a ``RouterError`` with the code ``RouterError/Code/invalidUserInfo`` that says where the fault is.
  public init(json: String) throws(RouterError) {
    var document = JSONDocument()
    let bytes = Array(json.utf8)
    do {
      // Four levels of the call are around it.
      let value = try document.parse(bytes.span, nestingLimit: JSONDocument.nestingLimit - 4)
      self.init(try RawObject(from: value))
    } catch let error as JSONError {
      throw RouterError(.invalidUserInfo, "The user info is not valid. \(error)")
    } catch {
      throw RouterError(.invalidUserInfo, "The user info is not a JSON object.")
    }
  }

  /// Takes what the router has checked.
  init(_ object: RawObject) {
    json = String(decoding: object.bytes, as: UTF8.self)
  }
}
