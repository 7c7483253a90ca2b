import DesktopEntries
import Testing

@testable import Installed

struct DesktopPlacesTests {
  @Test func withoutVariablesTheyAreThoseOfTheSpecification() {
    let places = DesktopPlaces(environment: ["HOME": "/home/a"])
    #expect(places.configuration == ["/home/a/.config", "/etc/xdg"])
    #expect(places.own == ["/home/a/.config/scened", "/etc/scened", "/usr/share/scened"])
    let data = ["/home/a/.local/share", "/usr/local/share", "/usr/share"]
    #expect(places.applications == data.map { $0 + "/applications" })
    #expect(places.userConfiguration == "/home/a/.config")
    #expect(places.replacedDefaults == "/home/a/.local/state/scened/replaced-defaults.list")
    #expect(places.mime == data.map { $0 + "/mime" })
    #expect(places.desktops == [])
    #expect(places.programs == ["/usr/local/bin", "/usr/bin", "/bin"])
  }

  @Test func variablesReplaceThem() {
    let places = DesktopPlaces(environment: [
      "HOME": "/home/a", "XDG_CONFIG_HOME": "/c", "XDG_CONFIG_DIRS": "/d:/e", "XDG_DATA_HOME": "/f",
      "XDG_STATE_HOME": "/s", "XDG_DATA_DIRS": "/g/:/h//:/g", "XDG_CURRENT_DESKTOP": "sway:GNOME",
      "PATH": "/i:/j",
    ])
    #expect(places.configuration == ["/c", "/d", "/e"])
    #expect(places.own == ["/c/scened", "/etc/scened", "/usr/share/scened"])
    #expect(places.applications == ["/f/applications", "/g/applications", "/h/applications"])
    #expect(places.userConfiguration == "/c")
    #expect(places.replacedDefaults == "/s/scened/replaced-defaults.list")
    #expect(places.desktops == ["sway", "GNOME"])
    #expect(places.programs == ["/i", "/j"])
    let names = places.names(ofLists: "mimeapps.list")
    #expect(names.map(\.name) == ["sway-mimeapps.list", "gnome-mimeapps.list", "mimeapps.list"])
    #expect(names.map(\.isDesktopSpecific) == [true, true, false])
  }

  @Test func emptyVariablesAndRelativePathsDoNotCount() {
    let places = DesktopPlaces(environment: [
      "HOME": "", "XDG_CONFIG_HOME": "c", "XDG_CONFIG_DIRS": "", "XDG_DATA_HOME": "~/x",
      "XDG_DATA_DIRS": "g:/h", "XDG_CURRENT_DESKTOP": "../x:a/b:c", "PATH": "",
    ])
    #expect(places.configuration == ["/etc/xdg"])
    #expect(places.own == ["/etc/scened", "/usr/share/scened"])
    #expect(places.applications == ["/h/applications"])
    #expect(places.userConfiguration == nil)
    #expect(places.replacedDefaults == nil)
    #expect(places.desktops == ["c"])
    #expect(places.programs == ["/usr/local/bin", "/usr/bin", "/bin"])
  }

  @Test(arguments: [
    (["LC_ALL": "de_DE.UTF-8", "LC_MESSAGES": "fr", "LANG": "es"], "de_DE"),
    (["LC_ALL": "", "LC_MESSAGES": "fr", "LANG": "es"], "fr"), (["LANG": "es"], "es"), ([:], ""),
  ])
  func theFirstLanguageThatIsSetCounts(_ environment: [String: String], _ language: String) {
    #expect(DesktopPlaces(environment: environment).locale == .init(language))
  }
}
