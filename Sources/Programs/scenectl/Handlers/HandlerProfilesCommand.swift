import ArgumentParser
import DesktopEntries
import Installed
import SceneRouting

struct HandlerProfilesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "List the profiles of the installed browsers.",
    discussion: "The profiles of Firefox and Chromium are read from the browsers' own files."
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var table: TableOptions

  @Argument(
    help: ArgumentHelp("List only the profiles of this browser.", valueName: "application"),
    completion: .installedApplications
  )
  var application: String?

  func validate() throws {
    if router.host != nil {
      throw ValidationError("The profiles are in files of this machine: profiles takes no --host.")
    }
  }

  func run() async throws {
    let desktop = InstalledDesktop()
    let id = try application.map { name in
      guard let id = desktop.id(named: name) else {
        throw HandlerError(
          "The application '\(name)' is not installed.\(desktop.idsLike(name).question)".printable
        )
      }
      return id
    }
    var rows = Table("APPLICATION", "PROFILE", "DIRECTORY", isWhole: table.full)
    for browser in desktop.applications.sorted(by: { $0.entry.id < $1.entry.id }) {
      if let id, browser.entry.id != id { continue }
      let name = browser.entry.id.asApplicationID
      for profile in Browser.started(by: browser.entry)?.profiles(in: desktop.places) ?? [] {
        if router.json {
          try Terminal.showJSON(
            JSONLine([
              "application": name.quoted, "profile": profile.name.quoted,
              "directory": profile.directory.quoted,
            ]).text
          )
        } else {
          rows.append(name, profile.name, profile.directory)
        }
      }
    }
    if !router.json { try rows.show(orElse: "No installed browser has a profile.") }
  }
}
