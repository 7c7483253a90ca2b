import DesktopEntries

/// Parses the text of a desktop entry; returns its content, and the complaints about it as texts.
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

/// Returns the application in the text of an entry; nil for other contents.
func application(_ text: String, locale: String = "C") -> DesktopEntry? {
  guard case .application(let entry) = read(text, locale: locale).file else { return nil }
  return entry
}

/// Returns the text of a whole entry with additional lines.
func entry(_ lines: String, exec: String = "app %u") -> String {
  "[Desktop Entry]\nType=Application\nName=App\nExec=\(exec)\n\(lines)\n"
}
