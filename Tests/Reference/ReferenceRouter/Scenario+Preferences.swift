extension Scenario {
  /// What the user's lists say of applications, by id.
  package struct Preferences: Sendable, Equatable {
    /// For each MIME type, which has one name here; a family of types is one.
    package var types: [String: Preference]

    /// For the scheme of the event, or for the type of the activity.
    package var others: Preference

    /// Creates preferences, by default none.
    package init(types: [String: Preference] = [:], others: Preference = Preference()) {
      self.types = types
      self.others = others
    }

    /// Whether they say nothing.
    package var isEmpty: Bool { types.isEmpty && others == Preference() }
  }

  /// What the user's lists say for one type or scheme.
  package struct Preference: Sendable, Equatable {
    /// The application that is the default.
    package var defaultId: String?

    /// Those that come before others from files.
    package var order: [String]

    /// Those that do not get the type by claiming a more general one.
    package var removed: [String]

    /// Creates a preference, by default none.
    package init(defaultId: String? = nil, order: [String] = [], removed: [String] = []) {
      self.defaultId = defaultId
      self.order = order
      self.removed = removed
    }
  }
}
