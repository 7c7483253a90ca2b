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
  /// The MIME type of the resource at the URL; set by a sender that knows more than the file name says.
  public var contentType: String?

  /// Makes an event of an absolute URL.
  public init(url: String, contentType: String? = nil) {
    content = .url(url)
    self.contentType = contentType
  }

  /// Makes an event of an activity.
  public init(activity: Activity, contentType: String? = nil) {
    content = .activity(activity)
    self.contentType = contentType
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
    if let activity = wire.activity {
      self.init(activity: Activity(activity), contentType: wire.contentType)
    } else {
      self.init(url: wire.url ?? "", contentType: wire.contentType)
    }
  }

  var wire: Wire.Event {
    switch content {
    case .url(let url): Wire.Event(url: url, contentType: contentType)
    case .activity(let activity): Wire.Event(activity: activity.wire, contentType: contentType)
    }
  }
}
