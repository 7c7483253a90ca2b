extension Scenario {
  /// The user's preferences among applications, as in `mimeapps.list`; applications are named by their ids.
  package struct Preferences: Sendable, Equatable {
    /// The preferences for MIME types and families of types.
    ///
    /// A type that has aliases has preferences under only one of its names.
    package var types: [String: Preference]

    /// The preference for the scheme of a URL event, or for the activity type of an activity event.
    package var others: Preference

    /// Creates preferences, which are empty by default.
    package init(types: [String: Preference] = [:], others: Preference = Preference()) {
      self.types = types
      self.others = others
    }

    /// Whether there are no preferences.
    package var isEmpty: Bool { types.isEmpty && others == Preference() }
  }

  /// The application that the user chose for the events of another application.
  package struct SenderChoice: Sendable, Equatable {
    /// The events that a choice is for.
    package enum Subject: Sendable, Equatable {
      /// URLs of a scheme, which is written in lower case.
      case scheme(String)

      /// Files of a MIME type.
      case mimeType(String)
    }

    /// The id of the application that events come from.
    package var sender: String

    /// The kind of events for which the choice counts.
    package var subject: Subject

    /// The id of the application that was chosen.
    package var applicationId: String

    /// A choice for URLs of a scheme.
    package static func scheme(_ scheme: String, from sender: String, _ applicationId: String) -> SenderChoice
    {
      SenderChoice(sender: sender, subject: .scheme(scheme), applicationId: applicationId)
    }

    /// A choice for files of a MIME type.
    package static func mimeType(_ type: String, from sender: String, _ applicationId: String)
      -> SenderChoice
    {
      SenderChoice(sender: sender, subject: .mimeType(type), applicationId: applicationId)
    }
  }

  /// The entries of the user's lists for one type or scheme.
  package struct Preference: Sendable, Equatable {
    /// The id of the default application; nil if there is none.
    package var defaultId: String?

    /// The order of the applications that files declare; applications that are not listed come last.
    package var order: [String]

    /// The applications that the user removed from this type.
    ///
    /// For files of this type, such an application's claims of supertypes and of families (`image/*`) do not count.
    /// `Situation` describes the only exception, which concerns claims of supertypes.
    package var removed: [String]

    /// Creates a preference, which is empty by default.
    package init(defaultId: String? = nil, order: [String] = [], removed: [String] = []) {
      self.defaultId = defaultId
      self.order = order
      self.removed = removed
    }
  }
}
