import RouterInterface
import SceneClient
import Varlink

/// What a program tells its adapter; each is one JSON object.
enum AdapterRequest: Sendable {
  case scene(String, AdapterScene.State)
  case active(String)
  case close(String)
  /// A delivery; `declined` is for an open request, too.
  case taken(String)
  case declined(String, reason: String?)
  case declare(String, AdapterDeclaration.State)
  case send(Int64, Event, from: String?, to: String?, activationToken: String?)
  case explain(Int64, Event, from: String?)
  case raise(String, RaisedWindow)

  /// Each object has exactly one of these members, which tells its kind.
  enum Word: String, CaseIterable {
    case scene, active, close, taken, declined, declare, send, explain, raise
  }
}

struct AdapterError: Error {
  /// Nil if the object has none.
  var word: String?
  let sentence: String

  init(_ word: AdapterRequest.Word?, _ sentence: String) {
    (self.word, self.sentence) = (word?.rawValue, sentence)
  }
}

extension AdapterRequest {
  init(_ bytes: [UInt8], _ document: inout JSONDocument) throws(AdapterError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try document.parse(bytes.span)
    } catch {
      throw AdapterError(nil, error.description)
    }
    guard value.kind == .object else { throw AdapterError(nil, "This is not a JSON object.") }
    let object = value.decoding(.refused)
    guard let word = Self.word(of: object) else {
      let words = Word.allCases.map { "'\($0)'" }.joined(separator: ", ")
      throw AdapterError(nil, "The object has none of the words \(words).")
    }
    do throws(ParameterError) {
      var reader = try ObjectReader(object)
      self = try Self.read(word, &reader)
      try reader.finish()
    } catch {
      throw AdapterError(word, error.sentence)
    }
  }

  private static func word(of object: JSONValue) -> Word? {
    var members = object.members
    while let member = members.next() {
      if let word = member.name.stringValue.flatMap(Word.init) { return word }
    }
    return nil
  }

  private static func read(_ word: Word, _ reader: inout ObjectReader) throws(ParameterError)
    -> AdapterRequest
  {
    switch word {
    case .scene: try .scene(reader.required("scene"), AdapterScene.State(from: &reader))
    case .active: try .active(reader.required("active"))
    case .close: try .close(reader.required("close"))
    case .taken: try .taken(reader.required("taken"))
    case .declined: try .declined(reader.required("declined"), reason: reader.optional("reason"))
    case .declare: try .declare(reader.required("declare"), AdapterDeclaration.State(from: &reader))
    case .send:
      try .send(
        reader.required("send"),
        event(&reader),
        from: reader.optional("from"),
        to: reader.optional("to"),
        activationToken: reader.optional("activationToken")
      )
    case .explain: try .explain(reader.required("explain"), event(&reader), from: reader.optional("from"))
    case .raise: try .raise(reader.required("raise"), RaisedWindow(from: &reader))
    }
  }

  private static func event(_ reader: inout ObjectReader) throws(ParameterError) -> Event {
    let event: Event = try reader.required("event")
    switch event.content {
    case .activity(let activity):
      return Event(
        activity: try activity.checked(),
        contentType: event.contentType,
        line: event.line,
        column: event.column
      )
    case .url(let url):
      return Event(
        url: url,
        resolvedURL: event.resolvedURL,
        contentType: event.contentType,
        line: event.line,
        column: event.column
      )
    }
  }
}

extension ParameterError {
  fileprivate var sentence: String {
    switch reason {
    case .unknown: "The word '\(path)' is not known here."
    case .missing: "'\(path)' is missing."
    case .wrongType: "The value of '\(path)' is of the wrong type."
    case .notAllowed: "The value of '\(path)' is not allowed."
    }
  }
}

extension Activity {
  /// Returns the activity with its URL repaired; throws an error if the user info is nested too deeply.
  fileprivate func checked() throws(ParameterError) -> Activity {
    if let userInfo {
      do throws(RouterError) {
        _ = try UserInfo(json: userInfo.json)
      } catch {
        throw ParameterError(.notAllowed, path: "activity.userInfo")
      }
    }
    var activity = self
    activity.webpageURL = webpageURL.map(Event.repaired)
    return activity
  }
}

extension AdapterScene.State {
  fileprivate init(from reader: inout ObjectReader) throws(ParameterError) {
    application = try reader.required("application")
    declaration = try reader.optional("declaration")
    title = try reader.optional("title")
    registration = Registration(
      id: "adapter",
      showing: try reader.array("showing"),
      preferring: try reader.array("preferring"),
      allowing: try reader.array("allowing")
    )
    let current = try Activity(ifPresent: reader.member("activity"))
    activity = try current.map { current throws(ParameterError) in try current.checked() }
    request = try reader.optional("request")
  }
}

extension AdapterDeclaration.State {
  fileprivate init(from reader: inout ObjectReader) throws(ParameterError) {
    let declarations: [SceneDeclaration] = try reader.array("scenes")
    scenes = declarations.map { scene in
      scene.kind == .documentGroup
        ? .documentGroup(
          scene.id,
          title: scene.title,
          supportedTypes: scene.supportedTypes,
          isSingleton: scene.isSingleton
        )
        : .windowGroup(
          scene.id,
          title: scene.title,
          matching: scene.matching,
          isSingleton: scene.isSingleton
        )
    }
    claims = try Claims(ifPresent: reader.member("claims"))
    isSingleScene = try reader.optional("isSingleScene") ?? false
  }
}

extension RaisedWindow {
  fileprivate init(from reader: inout ObjectReader) throws(ParameterError) {
    title = try reader.optional("title")
    activationToken = try reader.optional("activationToken")
    processID = try reader.optional("process", atLeast: 1).map { CInt(clamping: $0) }
  }
}
