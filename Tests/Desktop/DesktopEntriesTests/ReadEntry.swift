import DesktopEntries

/// Reads the text of an entry.
func read(
  _ text: String,
  locale: String = "C"
) -> (file: DesktopEntryFile, complaints: [String]) {
  let (file, complaints) = DesktopEntryFile.read(
    Array(text.utf8),
    id: "org.example.App.desktop",
    locale: LocaleName(locale)
  )
  return (file, complaints.map(\.description))
}

/// The application in a text, or nil if there is none.
func application(_ text: String, locale: String = "C") -> DesktopEntry? {
  guard case .application(let entry) = read(text, locale: locale).file else { return nil }
  return entry
}

/// A whole entry with some more lines.
func entry(_ lines: String, exec: String = "app %u") -> String {
  "[Desktop Entry]\nType=Application\nName=App\nExec=\(exec)\n\(lines)\n"
}
