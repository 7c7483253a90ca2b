import RouterInterface

/// The thing to route: a URL or a user activity.
public struct Event: Sendable, Hashable {
  /// What an event is about.
  public enum Content: Sendable, Hashable {
    /// An absolute URL.
    case url(String)
    /// What a user was doing.
    case activity(Activity)
  }

  /// What the event is about.
  public var content: Content
  /// The MIME type of what the URL leads to, if the sender knows it better than the file name says.
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
