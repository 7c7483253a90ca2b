/// Random scenarios whose parts often match each other.
///
/// Three rules hold in every random scenario:
/// - The shared MIME database of the machine knows none of the filename extensions and MIME types.
/// - An event that names a scene names no application.
/// - No path ends with a slash.
package enum RandomScenarios {
  /// The optional features of a scenario.
  package struct Options: Sendable {
    /// Whether the declarations of applications may come from files.
    package var hasFiles: Bool

    /// Whether an application may be the user's default.
    package var hasPreferences: Bool

    /// Whether the user may have chosen applications for hosts.
    package var hasHostChoices: Bool

    /// Whether the user may have chosen applications for senders.
    package var hasSenderChoices: Bool

    /// Whether a scenario may have a MIME database of its own.
    package var hasFileTypes: Bool

    /// Whether this machine may have a name.
    package var hasMachineName: Bool

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
