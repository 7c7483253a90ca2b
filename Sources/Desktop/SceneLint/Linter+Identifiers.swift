import SceneRouting

extension Linter {
  func checked(
    _ identifiers: [String],
    of application: LintedApplication?,
    at place: String
  ) -> [Finding] {
    var findings: [Finding] = []
    let claims = application?.claims ?? Claims()
    for identifier in identifiers where identifier != wildcard {
      let folded = FoldedText(identifier)
      if folded.isEmpty {
        findings.append(
          Finding(
            .neverMatches,
            at: place,
            "The identifier '\(identifier)' matches nothing, because it has no letters.",
            advice: "Remove it, or write a part of the application's links."
          )
        )
      } else if Self.isPlaceholder(identifier) {
        findings.append(.placeholder("identifier", identifier, at: place))
      } else if !claims.isEmpty, claims.activityTypes.isEmpty, !identifier.isInURLs {
        findings.append(
          Finding(
            .neverMatches,
            at: place,
            "The identifier '\(identifier)' matches nothing, because no URL has white space or control characters.",
            advice: "Write it as in URLs, such as '%20' for a space, or remove it."
          )
        )
      } else if claims.isEmpty, application?.takesPart ?? true, folded.bytes.count < Self.shortest {
        findings.append(
          Finding(
            .shortIdentifier,
            at: place,
            "'\(identifier)' is short, and the application claims nothing: links of many other programs contain it.",
            advice: "Claim the URL schemes, hosts or types of the application, or write a longer identifier."
          )
        )
      }
    }
    return findings
  }

  /// In bytes; of 43 real URLs, 9 contained a shorter identifier by chance.
  private static var shortest: Int { 8 }

  func checked(_ scene: LintedScene) -> [Finding] {
    let all = applications + others
    let application = all.first { $0.id == scene.applicationID }
    var findings = checked(scene.identifiers, of: application, at: scene.place)
    findings += claimedByOthers(scene, of: application)
    guard scene.isWildcard, application?.declaration.isSingleScene != true else { return findings }
    let isUnclaiming = application?.claims.isEmpty ?? true
    var shadowed: [String] = []
    for other in all where other.takesPart {
      let isOwn = other.id == scene.applicationID
      guard isOwn || isUnclaiming && other.claims.isEmpty else { continue }
      for declared in other.declaration.scenes {
        guard declared.hasCondition, !(isOwn && declared.id == scene.declarationID) else { continue }
        shadowed.append("'\(declared.id)' of '\(other.id)'")
      }
    }
    guard !shadowed.isEmpty else { return findings }
    let more = shadowed.count > 3 ? " and \(shadowed.count - 3) more" : ""
    findings.append(
      Finding(
        .openWildcard,
        at: scene.place,
        "While the scene is open, its '*' takes all events for \(shadowed.prefix(3).joined(separator: ", "))\(more).",
        advice: "Let the scene prefer and allow the identifiers of its content instead of '*'."
      )
    )
    return findings
  }

  func placeholders(in application: LintedApplication) -> [Finding] {
    let claims = application.claims
    let claimed = claims.schemes + claims.activityTypes + claims.mimeTypes + claims.hosts
    return claimed.filter(Self.isPlaceholder).map { .placeholder("claim", $0, at: application.place()) }
  }

  static func isPlaceholder(_ text: String) -> Bool {
    let folded = text.lowercased()
    return exampleWords.contains(folded) || exampleParts.contains { folded.contains($0) }
      || namesExampleDomain(folded)
  }

  /// RFC 2606 reserves these second-level domains for examples; reverse order such as `org.example` counts as well.
  ///
  /// Whole labels are compared, because somebody may own a domain such as `counterexample.org`.
  private static func namesExampleDomain(_ text: String) -> Bool {
    let labels = text.split { !$0.isLetter && !$0.isNumber && $0 != "-" }
    return zip(labels, labels.dropFirst()).contains { first, second in
      first == "example" && exampleDomains.contains(second)
        || second == "example" && exampleDomains.contains(first)
    }
  }

  private static let exampleDomains: Set<Substring> = ["com", "net", "org"]

  private static let exampleWords: Set<String> = [
    "bar", "baz", "changeme", "example", "foo", "foobar", "identifier", "scheme", "string", "tbd", "test",
    "todo",
    "xxx",
  ]

  /// No real URL contains these brackets (RFC 3986, section 2).
  private static let exampleParts = [
    "{", "}", "<", ">", "…", "...", "placeholder", "your-", "your_", "yourapp",
  ]
}

extension Finding {
  fileprivate static func placeholder(_ kind: String, _ text: String, at place: String) -> Finding {
    Finding(
      .placeholder,
      at: place,
      "The \(kind) '\(text)' looks copied from an example.",
      advice: "Write a text from the application's own links, or remove it."
    )
  }
}

extension String {
  /// The router allows all characters in a URL except spaces and control characters (``URLSyntax``).
  fileprivate var isInURLs: Bool { unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F } }
}

extension SceneDeclaration {
  var hasCondition: Bool {
    kind == .documentGroup ? !supportedTypes.isEmpty : matching?.isEmpty == false
  }
}
