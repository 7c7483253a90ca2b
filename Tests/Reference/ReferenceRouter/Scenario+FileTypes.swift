extension Scenario {
  /// A small MIME database, which has only what a scenario needs.
  package struct FileTypes: Sendable, Equatable {
    /// The MIME type for each ending of a file name, such as `.alb`.
    ///
    /// If a file name has several of these endings, the longest ending counts.
    package var ends: [String: String]

    /// The MIME type for which each alias stands.
    package var aliases: [String: String]

    /// The direct supertypes of each type.
    package var bases: [String: [String]]

    /// Creates a database.
    package init(_ ends: [String: String], aliases: [String: String] = [:], bases: [String: [String]] = [:]) {
      self.ends = ends
      self.aliases = aliases
      self.bases = bases
    }

    /// The type that follows from the name of a file.
    package func type(ofFileNamed name: [UInt8]) -> String? {
      let fitting = ends.keys.filter { name.reversed().starts(with: $0.utf8.reversed()) }
      return fitting.max { $0.utf8.count < $1.utf8.count }.flatMap { ends[$0] }
    }

    /// Returns the name of a type and all its aliases.
    package func names(of type: String) -> Set<String> {
      let name = aliases[type] ?? type
      return Set(aliases.filter { $0.value == name }.keys).union([name])
    }

    /// The index of `base` in `order(of: type)`; nil if `base` is no supertype of `type`.
    ///
    /// The index of `type` itself is 0.
    package func distance(from type: String, to base: String) -> Int? {
      order(of: type).firstIndex(of: aliases[base] ?? base)
    }

    /// A type and then all its supertypes.
    ///
    /// The direct supertypes of a type come before their own supertypes.
    package func order(of type: String) -> [String] {
      var order = [aliases[type] ?? type]
      var next = 0
      while next < order.count {
        for base in bases[order[next]] ?? [] where !order.contains(aliases[base] ?? base) {
          order.append(aliases[base] ?? base)
        }
        next += 1
      }
      return order
    }
  }
}
