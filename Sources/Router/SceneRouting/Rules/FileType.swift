/// The registry asks the database anew for each event, so a new database takes effect at once.
package protocol FileTypeDatabase: Equatable, Sendable {
  /// From the name alone, without directories.
  func type(ofFileNamed name: [UInt8]) -> String?

  /// All names of the type in lower case, then all names of each supertype, nearer supertypes first.
  ///
  /// An unknown type has only the name that was passed in.
  func kinds(of type: String) -> [[String]]
}

extension FileTypeDatabase {
  func isEqual(to other: (any FileTypeDatabase)?) -> Bool { other as? Self == self }
}

struct FileType {
  /// As in ``FileTypeDatabase/kinds(of:)``, without parameters; empty if the type is not known.
  let kinds: [[String]]
  /// Otherwise the type follows from the file's name.
  let isKnownToSender: Bool
  /// In lower case.
  let filenameExtension: String?

  /// `nil` for an event without a URL.
  init?(_ event: Event, _ database: (any FileTypeDatabase)?) {
    guard let url = event.fileURL?.string else { return nil }
    let sent = event.contentType.flatMap(Self.withoutParameters)
    kinds = Self.kinds(of: sent, url, database)
    isKnownToSender = sent != nil
    filenameExtension = URLSyntax.filenameExtension(of: url)
  }

  /// The MIME types, families (`image/*`) and filename extensions that cover the file, in lower case.
  var keys: [String] {
    var keys = kinds.flatMap(\.self) + Self.families(of: kinds)
    if let filenameExtension { keys.append(filenameExtension) }
    return keys
  }

  func match(_ supportedTypes: [String]) -> String? {
    let keys = keys
    return supportedTypes.first { keys.contains($0.lowercased()) }
  }

  fileprivate static func kinds(of sent: String?, _ url: String, _ database: (any FileTypeDatabase)?)
    -> [[String]]
  {
    guard let database else { return sent.map { [[$0]] } ?? [] }
    let type = sent ?? URLSyntax.fileName(of: url).flatMap { database.type(ofFileNamed: $0) }
    return type.map { database.kinds(of: $0) } ?? []
  }

  /// Families (`image/*`) of supertypes do not count.
  fileprivate static func families(of kinds: [[String]]) -> [String] {
    (kinds.first ?? []).map { $0.prefix { $0 != "/" } + "/*" }
  }

  fileprivate static func withoutParameters(_ contentType: String) -> String? {
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return type.contains("/") ? type : nil
  }
}

/// All claims that cover an event, except claims of hosts.
struct EventClaims {
  /// For a `file:` URL, as in ``FileType/kinds``; empty for every other event.
  let types: [[ClaimKey]]
  /// The families of the file's type and the scheme, or the activity's type; the more specific first.
  let others: [ClaimKey]

  init(_ event: Event, _ database: (any FileTypeDatabase)?) {
    switch event.content {
    case .activity(let activity):
      types = []
      others = [.activityType(activity.activityType)]
    case .url(let url):
      let scheme = URLSyntax.scheme(of: url)
      let others = scheme.map { [ClaimKey.scheme($0)] } ?? []
      guard scheme == "file" else {
        (types, self.others) = ([], others)
        return
      }
      let kinds = FileType.kinds(of: event.contentType.flatMap(FileType.withoutParameters), url, database)
      types = kinds.map { names in names.map { .mimeType($0) } }
      self.others = FileType.families(of: kinds).map { .mimeType($0) } + others
    }
  }
}
