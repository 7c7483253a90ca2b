/// A database of file types, such as the shared MIME database.
///
/// The registry asks the database anew for each event, and keeps claims and supported types as the applications wrote
/// them. A new database therefore takes effect at once.
package protocol FileTypeDatabase: Equatable, Sendable {
  /// The MIME type of a file, from its name alone, without directories; nil if the type is not known.
  func type(ofFileNamed name: [UInt8]) -> String?

  /// The names of a MIME type and of its supertypes, in lower case.
  ///
  /// The first list has all names of the type itself. Each further list has all names of one supertype, nearer
  /// supertypes first. An unknown type has only the name that was passed in.
  func kinds(of type: String) -> [[String]]
}

extension FileTypeDatabase {
  func isEqual(to other: (any FileTypeDatabase)?) -> Bool { other as? Self == self }
}

/// The type of the file that an event is about, as the event's sender or the file's name tells it.
struct FileType {
  /// All names of the file's MIME type, then all names of each supertype, nearer supertypes first.
  ///
  /// The names are in lower case, without parameters. The list is empty if the type is not known.
  let kinds: [[String]]
  /// Whether the sender gave the MIME type.
  ///
  /// Otherwise the type follows from the file's name.
  let isKnownToSender: Bool
  /// The extension of the file's name, in lower case.
  let filenameExtension: String?

  /// Returns `nil` for an event without a URL, because such an event is about no file.
  init?(_ event: Event, _ database: (any FileTypeDatabase)?) {
    guard let url = event.fileURL?.string else { return nil }
    let sent = event.contentType.flatMap(Self.withoutParameters)
    kinds = Self.kinds(of: sent, url, database)
    isKnownToSender = sent != nil
    filenameExtension = URLSyntax.filenameExtension(of: url)
  }

  /// All MIME types, families (`image/*`) and filename extensions that cover the file, in lower case.
  ///
  /// A document group can open the file if its `supportedTypes` contain one of these texts.
  var keys: [String] {
    var keys = kinds.flatMap(\.self) + Self.families(of: kinds)
    if let filenameExtension { keys.append(filenameExtension) }
    return keys
  }

  /// The first entry of `supportedTypes` that covers the file.
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

  /// The families (`image/*`) of a type.
  ///
  /// The families of its supertypes do not count.
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
  /// For a `file:` URL, all names of the file's type, then all names of each supertype, nearer supertypes first.
  ///
  /// Empty for every other event.
  let types: [[ClaimKey]]
  /// The claims that cover the event besides ``types``, the more specific first.
  ///
  /// - for a `file:` URL: the families of the file's type, then the scheme
  /// - for any other URL: the scheme
  /// - for an activity: the type of the activity
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
