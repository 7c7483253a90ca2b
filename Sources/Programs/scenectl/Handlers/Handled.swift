import ArgumentParser
import DesktopEntries

/// A kind of links or files that an application can be chosen for.
enum Handled: Hashable {
  /// A MIME type; `x-scheme-handler/SCHEME` stands for the URLs of a scheme.
  case type(String)
  /// `HOST` or `HOST/PATH` of web links.
  case host(String)
}

extension Handled: ExpressibleByArgument {
  /// `SCHEME`, `TYPE/SUBTYPE`, `HOST` or `HOST/PATH`.
  ///
  /// A name with a dot before the first `/` is a host. A scheme with a dot needs the form `SCHEME:`, a host without one
  /// the form `//HOST`.
  init?(argument: String) {
    if argument.hasPrefix("//") {
      self.init(host: String(argument.dropFirst(2)))
    } else if argument.hasSuffix(":") {
      self.init(scheme: argument.dropLast())
    } else if argument.prefix(while: { $0 != "/" }).contains(".") {
      self.init(host: argument)
    } else if argument.contains("/") {
      self.init(mimeType: argument)
    } else {
      self.init(scheme: argument[...])
    }
  }

  init?(host: String) {
    guard UriHandler.isHostClaim(host) else { return nil }
    let name = host.prefix { $0 != "/" }
    self = .host(name.lowercased() + host[name.endIndex...])
  }

  private init?(scheme: Substring) {
    guard let first = scheme.first, first.isASCII, first.isLetter,
      scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) })
    else { return nil }
    self = .type(DesktopEntry.type(ofScheme: scheme.lowercased()))
  }

  private init?(mimeType: String) {
    let parts = mimeType.split(separator: "/", omittingEmptySubsequences: false)
    // The characters of a type's name: RFC 6838 4.2.
    let isName = { (part: Substring) in
      !part.isEmpty
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&-^_.+".contains($0)) }
    }
    guard parts.count == 2, parts.allSatisfy(isName) else { return nil }
    self = .type(mimeType.lowercased())
  }
}

extension Handled: CustomStringConvertible {
  var description: String {
    switch self {
    case .host(let host): host.prefix { $0 != "/" }.contains(".") ? host : "//" + host
    case .type(let type):
      DesktopEntry.scheme(ofType: type).map { $0.contains(".") ? $0 + ":" : $0 } ?? type
    }
  }
}

extension Handled {
  /// Says which hosts are not meant, though their names may suggest it; empty for a scheme, a type, or such a host.
  var excluded: String {
    guard case .host(let host) = self else { return "" }
    if host.hasPrefix("*.") { return " (not '\(host.dropFirst(2))' itself)" }
    let name = host.prefix { $0 != "/" }
    let isAddress = name.hasPrefix("[") || name.split(separator: ".").last?.allSatisfy(\.isNumber) == true
    guard !isAddress, name.contains(".") else { return "" }
    return " (not its subdomains, which are '*.\(host)')"
  }
}

/// What an application is chosen for: a kind of links or files, from all programs or from one.
struct ChoiceKey: Hashable, CustomStringConvertible {
  let handled: Handled
  /// The application id of the program that the links come from; nil for all programs.
  var sender: String?

  var description: String { "\(handled)" + (sender.map { " from \($0)" } ?? "") }
}
