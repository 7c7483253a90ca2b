/// Random scenarios whose parts often match each other.
///
/// Two rules hold in every random scenario:
/// - The shared MIME database of the machine knows none of the filename extensions and MIME types that applications
///   claim or support.
/// - An event that names a scene names no application.
package enum RandomScenarios {
  /// The optional features of a scenario.
  package struct Options: Sendable {
    /// Whether some random scenarios have applications whose declarations come from files.
    package var hasFiles: Bool

    /// Whether some random scenarios have preferences of the user, such as a default application.
    package var hasPreferences: Bool

    /// Whether the user has chosen applications for hosts in some random scenarios.
    package var hasHostChoices: Bool

    /// Whether the user has chosen applications for senders in some random scenarios.
    package var hasSenderChoices: Bool

    /// Whether some random scenarios have a MIME database of their own.
    package var hasFileTypes: Bool

    /// Whether the router knows the name of its machine in some random scenarios.
    package var hasMachineName: Bool

    /// Leaves out every feature.
    package static let none = Options(
      hasFiles: false,
      hasPreferences: false,
      hasHostChoices: false,
      hasSenderChoices: false,
      hasFileTypes: false,
      hasMachineName: false
    )

    /// Creates options that allow every feature by default.
    package init(
      hasFiles: Bool = true,
      hasPreferences: Bool = true,
      hasHostChoices: Bool = true,
      hasSenderChoices: Bool = true,
      hasFileTypes: Bool = true,
      hasMachineName: Bool = true
    ) {
      self.hasFiles = hasFiles
      self.hasPreferences = hasPreferences
      self.hasHostChoices = hasHostChoices
      self.hasSenderChoices = hasSenderChoices
      self.hasFileTypes = hasFileTypes
      self.hasMachineName = hasMachineName
    }
  }

  /// Makes a scenario from a seed and options.
  ///
  /// The same seed and options always make the same scenario.
  package static func scenario(seed: UInt64, _ options: Options = Options()) -> Scenario {
    var generator = ScenarioGenerator(seed: seed, options: options)
    return generator.scenario(named: "seed \(seed)")
  }

  /// Makes one scenario from each seed.
  package static func scenarios(seeds: Range<UInt64>, _ options: Options = Options()) -> [Scenario] {
    seeds.map { scenario(seed: $0, options) }
  }
}
