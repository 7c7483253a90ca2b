import RouterInterface

/// An event to route: a URL or an activity of a user.
public struct Event: Sendable, Hashable {
  /// The content of an event.
  public enum Content: Sendable, Hashable {
    /// An absolute URL.
    case url(String)
    /// An activity of a user.
    case activity(Activity)
  }

  /// The URL or the activity.
  public var content: Content
  /// The MIME type of the resource at the URL.
  ///
  /// A sender sets this property if the file name does not show the type.
  public var contentType: String?
  /// The `file:` URL of the path without symbolic links, if it differs from the event's own.
  ///
  /// The router compares identifiers and what scenes show with both. A URL that is no `file:` URL has none. If this
  /// property is nil, the library looks the path up when it sends the event to a router of this machine.
  public var resolvedURL: String?
  /// The line of the document at which the user wants to be, counted from 1.
  ///
  /// The router passes the line on to the target, but does not use the line to choose the target.
  public var line: Int?
  /// The column in the line, counted from 1; the router refuses a column without a line.
  public var column: Int?

  /// Makes an event of an absolute URL, which is ``repaired(_:)``.
  public init(
    url: String,
    resolvedURL: String? = nil,
    contentType: String? = nil,
    line: Int? = nil,
    column: Int? = nil
  ) {
    self.init(.url(Self.repaired(url)), contentType, line, column)
    self.resolvedURL = resolvedURL
  }

  /// Makes an event of an activity.
  public init(activity: Activity, contentType: String? = nil, line: Int? = nil, column: Int? = nil) {
    self.init(.activity(activity), contentType, line, column)
  }

  private init(_ content: Content, _ contentType: String?, _ line: Int?, _ column: Int?) {
    self.content = content
    self.contentType = contentType
    self.line = line
    self.column = column
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

extension Event: WireRepresentable {
  init(_ wire: Wire.Event) {
    self.init(
      wire.activity.map { .activity(Activity($0)) } ?? .url(wire.url ?? ""),
      wire.contentType,
      wire.line.map(Int.init),
      wire.column.map(Int.init)
    )
    resolvedURL = wire.resolvedURL
  }

  var wire: Wire.Event {
    Wire.Event(
      url: url,
      resolvedURL: resolvedURL,
      activity: activity?.wire,
      contentType: contentType,
      line: line.map(Int64.init),
      column: column.map(Int64.init)
    )
  }
}
