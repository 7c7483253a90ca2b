import SceneClient

import struct SceneRouting.FoldedText
import struct SceneRouting.ShownURL

/// What an open window has to do with a link, as the router compares them; the greatest comes first.
struct LinkMatch: Comparable {
  enum Rule: Int { case allowing, preferring, showing }

  let rule: Rule
  /// In bytes of the longest identifier in the link; 0 for `*`.
  private let length: Int

  static func < (left: LinkMatch, right: LinkMatch) -> Bool {
    (left.rule.rawValue, left.length) < (right.rule.rawValue, right.length)
  }
}

extension LinkMatch {
  /// The texts of one link.
  struct Link {
    private let urls: [ShownURL]
    private let texts: [FoldedText]

    init(_ event: Event) {
      let texts = [event.url, event.resolved.resolvedURL].compactMap(\.self)
      urls = texts.map { ShownURL(onThisMachine: $0) }
      self.texts = texts.map(FoldedText.init)
    }

    /// Nil if the window neither shows, prefers nor allows the link.
    func match(_ scene: SceneDescription) -> LinkMatch? {
      let views = scene.registrations
      if views.contains(where: { $0.showing.contains(where: isShown) }) {
        return LinkMatch(rule: .showing, length: 0)
      }
      if let length = views.flatMap(\.preferring).compactMap(length).max() {
        return LinkMatch(rule: .preferring, length: length)
      }
      return views.flatMap(\.allowing).compactMap(length).max().map { LinkMatch(rule: .allowing, length: $0) }
    }

    private func isShown(_ url: String) -> Bool { urls.contains(ShownURL(onThisMachine: url)) }

    private func length(of identifier: String) -> Int? {
      if identifier == "*" { return 0 }
      let folded = FoldedText(identifier)
      guard !folded.isEmpty, texts.contains(where: { $0.contains(folded) }) else { return nil }
      return folded.bytes.count
    }
  }
}
