/// An event to route: a URL or an activity of a user.
public struct Event: Sendable {
  /// The content of an event.
  public enum Content: Sendable, Hashable {
    /// An absolute URL.
    case url(String)
    // An activity is many times as large as a URL. `indirect` stores it elsewhere, so that an event with a URL stays
    // small.
    /// An activity of a user.
    indirect case activity(Activity)
  }

  /// The fields that most events lack.
  private final class RareFields: Sendable {
    let resolvedURL: String?
    let line: Int?
    let column: Int?

    private init(_ resolvedURL: String?, _ line: Int?, _ column: Int?) {
      (self.resolvedURL, self.line, self.column) = (resolvedURL, line, column)
    }

    // No failable initializer, which would allocate the object before it fails.
    static func make(_ resolvedURL: String?, _ line: Int?, _ column: Int?) -> RareFields? {
      if resolvedURL == nil, line == nil, column == nil { return nil }
      return RareFields(resolvedURL, line, column)
    }
  }

  /// The URL or the activity.
  public var content: Content { didSet { encoded = [] } }
  /// The MIME type of the resource at the URL.
  ///
  /// A sender sets this property if the file name does not show the type.
  public var contentType: String? { didSet { encoded = [] } }
  // An object of its own, so that an event without these fields needs less memory.
  private var rareFields: RareFields? { didSet { encoded = [] } }
  /// The JSON that the event was read from; empty if the event was not read, or was changed since.
  ///
  /// The router hands these bytes on. Its rules read only the other properties.
  package private(set) var encoded: [UInt8]

  package init(
    _ content: Content,
    resolvedURL: String? = nil,
    contentType: String? = nil,
    line: Int? = nil,
    column: Int? = nil,
    encoded: [UInt8] = []
  ) {
    self.content = content
    self.contentType = contentType
    rareFields = .make(resolvedURL, line, column)
    self.encoded = encoded
  }

  /// Makes an event of an absolute URL, which is ``repaired(_:)``.
  public init(
    url: String,
    resolvedURL: String? = nil,
    contentType: String? = nil,
    line: Int? = nil,
    column: Int? = nil
  ) {
    self.init(
      .url(Self.repaired(url)),
      resolvedURL: resolvedURL,
      contentType: contentType,
      line: line,
      column: column
    )
  }

  /// Makes an event of an activity.
  public init(activity: Activity, contentType: String? = nil, line: Int? = nil, column: Int? = nil) {
    self.init(.activity(activity), contentType: contentType, line: line, column: column)
  }

  /// The `file:` URL of the path without symbolic links, if it differs from the event's own.
  ///
  /// The router compares identifiers and what scenes show with both. A URL that is no `file:` URL has none. If this
  /// property is nil, the library looks the path up when it sends the event to a router of this machine.
  public var resolvedURL: String? {
    get { rareFields?.resolvedURL }
    set { rareFields = .make(newValue, line, column) }
  }

  /// The line of the document at which the user wants to be, counted from 1.
  ///
  /// The router passes the line on to the target, but does not use the line to choose the target.
  public var line: Int? {
    get { rareFields?.line }
    set { rareFields = .make(resolvedURL, newValue, column) }
  }

  /// The column in the line, counted from 1; the router refuses a column without a line.
  public var column: Int? {
    get { rareFields?.column }
    set { rareFields = .make(resolvedURL, line, newValue) }
  }

  /// The URL; nil if the event is an activity.
  public var url: String? {
    if case .url(let url) = content { url } else { nil }
  }

  /// The activity; nil if the event is a URL.
  public var activity: Activity? {
    if case .activity(let activity) = content { activity } else { nil }
  }
}

extension Event: Hashable {
  /// Whether two events have the same properties.
  public static func == (left: Event, right: Event) -> Bool {
    left.content == right.content && left.contentType == right.contentType
      && left.resolvedURL == right.resolvedURL && left.line == right.line && left.column == right.column
  }

  /// Hashes the content and its type.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(content)
    hasher.combine(contentType)
  }
}

extension Event {
  /// The event as it is written from its properties.
  package var withoutEncoding: Event {
    var event = self
    event.encoded = []
    return event
  }

  /// The event as monitors see it, without `userInfo`.
  package var withoutPrivateParts: Event {
    var event = withoutEncoding
    if case .activity(let activity) = content { event.content = .activity(activity.withoutUserInfo) }
    return event
  }
}
