/// What is known of types of files, as the shared MIME database has it.
///
/// The registry asks it, and keeps nothing of what it says: what applications claim and open is kept as they wrote it.
package protocol FileTypeDatabase: Equatable, Sendable {
  /// The MIME type of a file, from its name alone, without directories; nil if it is not known.
  func type(ofFileNamed name: [UInt8]) -> String?

  /// All names of a MIME type, then all names of each type that it is a kind of, nearer ones first.
  ///
  /// In lower case. A type that is not known has the name that it came with.
  func kinds(of type: String) -> [[String]]
}

extension FileTypeDatabase {
  func isEqual(to other: (any FileTypeDatabase)?) -> Bool { other as? Self == self }
}

/// What kind of file an event is about, as far as its URL and its sender say.
struct FileType {
  /// All names of its MIME type, then those of the types that it is a kind of, nearer ones first.
  ///
  /// In lower case, without parameters; empty if its type is not known.
  let kinds: [[String]]
  /// Whether the sender knew the MIME type; else it follows from the name.
  let isKnownToSender: Bool
  /// In lower case.
  let filenameExtension: String?

  /// `nil` for an event without a URL, which is about no file.
  init?(_ event: Event, _ database: (any FileTypeDatabase)?) {
    guard let url = event.fileURL?.string else { return nil }
    let sent = event.contentType.flatMap(Self.withoutParameters)
    kinds = Self.kinds(of: sent, url, database)
    isKnownToSender = sent != nil
    filenameExtension = URLSyntax.filenameExtension(of: url)
  }

  /// What a `supportedTypes` entry has to be, in lower case, to cover the file.
  var keys: [String] {
    var keys = kinds.flatMap(\.self) + Self.families(of: kinds)
    if let filenameExtension { keys.append(filenameExtension) }
    return keys
  }

  /// The first of some `supportedTypes` entries that covers the file.
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

  /// The families (`image/*`) of a type; those of what it is a kind of are no families of its own.
  fileprivate static func families(of kinds: [[String]]) -> [String] {
    (kinds.first ?? []).map { $0.prefix { $0 != "/" } + "/*" }
  }

  fileprivate static func withoutParameters(_ contentType: String) -> String? {
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return type.contains("/") ? type : nil
  }
}

/// What an application has to claim to take part in an event.
struct EventClaims {
  /// All names of the MIME type of the file that a `file:` URL names, then those of the types that it is a kind of,
  /// nearer ones first.
  let types: [[ClaimKey]]
  /// What else there is to claim, what says more of the event before what says less: families of types, then the
  /// scheme; for an activity its type.
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
