/// What kind of file an event is about, as far as its URL and its sender say.
///
/// The MIME type is known only from `contentType`; the shared MIME database is not consulted here.
struct FileType {
  /// `type/subtype` in lower case, without parameters.
  var mimeType: String?
  /// In lower case.
  var filenameExtension: String?

  /// `nil` for an event without a URL, which is about no file.
  init?(_ event: Event) {
    guard let url = event.fileURL else { return nil }
    filenameExtension = URLSyntax.filenameExtension(of: url.string)
    mimeType = event.contentType.flatMap(Self.withoutParameters)
  }

  /// What a `supportedTypes` entry has to be, in lower case, to cover the file.
  var keys: [String] {
    var keys = mimeType.map(Self.mimeKeys) ?? []
    if let filenameExtension { keys.append(filenameExtension) }
    return keys
  }

  /// The first of some `supportedTypes` entries that covers the file.
  func match(_ supportedTypes: [String]) -> String? {
    let keys = keys
    return supportedTypes.first { keys.contains($0.lowercased()) }
  }

  /// A MIME type and its family.
  static func mimeKeys(_ type: String) -> [String] {
    let family = type.prefix { $0 != "/" } + "/*"
    return [type, String(family)]
  }

  static func withoutParameters(_ contentType: String) -> String? {
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return type.contains("/") ? type : nil
  }
}

extension Event {
  /// What an application has to claim to take part in the event.
  ///
  /// The scheme of a URL, for `file:` also the MIME type; an activity by its type only.
  var claimKeys: [ClaimKey] {
    switch content {
    case .activity(let activity): return [.activityType(activity.activityType)]
    case .url(let url):
      guard let scheme = URLSyntax.scheme(of: url) else { return [] }
      guard scheme == "file", let type = contentType.flatMap(FileType.withoutParameters) else {
        return [.scheme(scheme)]
      }
      return [.scheme(scheme)] + FileType.mimeKeys(type).map { .mimeType($0) }
    }
  }
}
