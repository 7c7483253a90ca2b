extension Scenario {
  /// An event to route: a URL or a user activity.
  package struct Event: Sendable {
    /// The kinds of events.
    package enum Content: Sendable {
      /// A URL.
      case url(String)

      /// A user activity.
      case activity(Activity)
    }

    /// The URL or the activity of the event.
    package var content: Content

    /// The URL of the same file without symbolic links; nil if the event is about no file, or if this URL is the same.
    package var resolvedURL: String?

    /// The MIME type of the document that the URL names; nil if the sender did not know the type.
    package var contentType: String?

    /// The id of the sender's application; nil if the router does not know the application.
    package var sender: String?

    /// A URL event.
    package static func url(
      _ url: String,
      resolved resolvedURL: String? = nil,
      contentType: String? = nil,
      from sender: String? = nil
    ) -> Event {
      Event(content: .url(url), resolvedURL: resolvedURL, contentType: contentType, sender: sender)
    }

    /// A user-activity event.
    package static func activity(
      _ target: String? = nil,
      webpageURL: String? = nil,
      type: String = "org.example.view",
      contentType: String? = nil,
      from sender: String? = nil
    ) -> Event {
      let activity = Activity(activityType: type, targetContentIdentifier: target, webpageURL: webpageURL)
      return Event(content: .activity(activity), contentType: contentType, sender: sender)
    }
  }

  /// The parts of a user activity that routing reads.
  package struct Activity: Sendable {
    /// The kind of activity.
    package var activityType: String

    /// A name of the content that the activity is about.
    package var targetContentIdentifier: String?

    /// A URL that shows the content of the activity in a web browser.
    package var webpageURL: String?
  }
}
