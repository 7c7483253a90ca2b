import DesktopEntries
import ReferenceRouter

@testable import SceneRouting

/// Reads the first two lines of the input as URLs and all other lines as claims of hosts.
///
/// Compares with the reference:
/// - the normal form of the URLs, and whether both URLs are the same;
/// - the claims that cover each URL.
///
/// If a URL names a file, the function makes a second URL from the path of the file. Both URLs must name the same file.
@c(LLVMFuzzerTestOneInput)
public func fuzzURLs(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let input = String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) else {
    return 0
  }
  // The input is split as a list of Unicode scalars, because Swift joins a carriage return and a line feed into one
  // `Character`.
  let lines = input.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let urls = lines.prefix(2).filter(checkedURL)
  if urls.count == 2 {
    let areSame = ReferenceURL.areSame(urls[0], urls[1], machineName: "box")
    precondition((shown(urls[0]) == shown(urls[1])) == areSame, "other URLs are the same")
  }
  for url in urls {
    check(shown: url)
    checkFile(of: url)
    check(lines.dropFirst(2), covering: url)
  }
  return 0
}

/// Whether a text is a URL; checks that the router and the reference agree about this.
private func checkedURL(_ text: String) -> Bool {
  let isURL = URLSyntax.isAbsolute(text)
  precondition(isURL == (ReferenceURL(text) != nil), "URL or no URL")
  return isURL
}

private func shown(_ url: String) -> ShownURL { ShownURL(url, machineName: Array("box".utf8)) }

/// Compares the normal form of a shown URL with the form in the reference.
///
/// Also checks that a second normalisation changes nothing.
private func check(shown url: String) {
  let form = shown(url)
  let text = String(decoding: form.bytes, as: UTF8.self)
  precondition(text == ReferenceURL(url, machineName: "box")?.description, "another form: \(text)")
  // URLs with percent-encoding in the authority are left out. A host `%41` becomes `A`, because percent-encoding is
  // decoded after capital letters are lowered. A second normalization would change `A` to `a`.
  precondition(authority(of: url).contains("%") || shown(text) == form, "a normal form is changed: \(text)")
  precondition(form.bytes.allSatisfy { 0x20 < $0 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
}

private func authority(of url: String) -> Substring.UnicodeScalarView {
  let rest = url.unicodeScalars.drop { $0 != ":" }.dropFirst()
  return rest.starts(with: "//".unicodeScalars) ? rest.dropFirst(2).prefix { $0 != "/" } : rest.prefix(0)
}

/// Compares a `file:` URL with the URL that is made from its path.
private func checkFile(of url: String) {
  guard let path = FileURL.path(of: url, onMachine: "box") else { return }
  precondition(path.first == UInt8(ascii: "/") && !path.contains(0))
  let other = FileURL.url(ofPath: path)
  precondition(FileURL.path(of: other) == path, "another file: \(other)")
  // A URL with a query is left out, because the path does not hold the query.
  precondition(url.utf8.contains(UInt8(ascii: "?")) || shown(other) == shown(url), "another URL: \(other)")
}

/// Compares the claims that cover a URL according to the router's table with those according to the reference.
///
/// Both lists must have the same order, with the closest claim first.
private func check(_ lines: ArraySlice<String>, covering url: String) {
  var claims: [String] = []
  var table = HostTable<Int>()
  for line in lines {
    let claim = HostClaim(line)
    // The router must accept each claim that the reader of desktop entries accepts.
    precondition(claim != nil || !UriHandler.isHostClaim(line), "a claim of an entry is refused: \(line)")
    guard let claim, table[claim] == nil else { continue }
    table[claim] = claims.count
    claims.append(line)
  }
  let expected = ReferenceHosts.covering(url, of: claims)
  let covering = table.values(covering: Event(.url(url))).map { claims[$0] }
  precondition(covering == expected, "other claims: \(covering), and not \(expected)")
  let closest = HostClaim.closest(to: url, among: claims.compactMap { HostClaim($0) })
  precondition(closest == expected.first.flatMap { HostClaim($0) }, "not the closest claim")
}
