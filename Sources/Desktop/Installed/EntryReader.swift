import DesktopEntries

/// Of entries with the same id, the first counts.
struct EntryReader {
  /// Their claims are those in their own files, which no `mimeapps.list` has changed yet.
  private(set) var applications: [InstalledApplication] = []
  private(set) var complaints: [FileComplaint] = []

  private let places: DesktopPlaces
  private let previous: [String: InstalledApplication]
  private let owners: FileOwners
  private var ids: Set<String> = []
  /// The empty files that have hidden no other file yet, by id.
  private var emptyFiles: [String: String] = [:]
  private var remaining = InstalledApplications.maximumFiles
  private var remainingDirectories = InstalledApplications.maximumDirectories

  /// The application of an unreadable or broken entry is taken from `previous`.
  init(_ places: DesktopPlaces, after previous: [String: InstalledApplication], owners: FileOwners) {
    (self.places, self.previous, self.owners) = (places, previous, owners)
  }

  /// Returns the entries whose ids are in no directory that was read earlier.
  mutating func read(_ path: String, willRead: (String) -> Void) -> [MIMEAssociations.Entry] {
    let directory = EntryDirectory(
      path,
      atMost: remaining,
      inDirectories: remainingDirectories,
      owners: owners,
      willRead: willRead
    )
    remaining -= directory.files.count
    remainingDirectories -= directory.directoryCount
    complaints += directory.unreadable.map { .unreadable($0.path, $0.reason) }
    if directory.isCut {
      let reason =
        "there are more than \(InstalledApplications.maximumFiles) desktop entries or "
        + "\(InstalledApplications.maximumDirectories) directories"
      complaints.append(.unreadable(path, reason))
    }
    return directory.files.compactMap { file in
      guard !ids.contains(file.id), let isUsable = read(file) else {
        emptyFiles[file.id] = nil
        return nil
      }
      ids.insert(file.id)
      let claims = isUsable ? applications.last?.entry.claims : nil
      return .init(id: file.id, mimeTypes: claims?.allTypes ?? [], isUsable: isUsable)
    }
  }

  /// Ask for them after the last directory was read, because an empty file may hide a file of that directory.
  var complaintsAboutEmptyFiles: [FileComplaint] {
    emptyFiles.values.sorted().map { path in
      FileComplaint(path: path, complaint: .emptyEntry)
    }
  }

  /// Nil if there is no file; otherwise, whether its application can be used.
  private mutating func read(_ file: EntryFile) -> Bool? {
    switch FileContents.read(file.path, isRegular: file.isRegular) {
    case .missing: return nil
    case .nullDevice: return false
    case .unreadable(let reason):
      complaints.append(.unreadable(file.path, reason))
      return take(previous[file.path])
    case .file([], _):
      emptyFiles[file.id] = file.path
      return false
    case .file(let bytes, let status):
      let (contents, complaints) = DesktopEntryFile.read(bytes, id: file.id, locale: places.locale)
      self.complaints += complaints.map { FileComplaint(path: file.path, complaint: $0) }
      switch contents {
      case .application(let entry):
        let isTrusted = file.isInTrustedDirectory && owners.own(status)
        return take(InstalledApplication(entry: entry, path: file.path, isTrusted: isTrusted))
      case .broken: return take(previous[file.path])
      case .mask, .notAnApplication: return false
      }
    }
  }

  private mutating func take(_ application: InstalledApplication?) -> Bool {
    guard let application, application.entry.id != InstalledApplication.routersOwnID,
      application.entry.tryExec.map({ places.hasProgram($0) }) ?? true
    else { return false }
    applications.append(application)
    return true
  }
}

extension DesktopEntry.Claims {
  fileprivate var allTypes: [String] { mimeTypes + schemes.map { DesktopEntry.type(ofScheme: $0) } }
}
