import ExampleScreen
import ExternalEvents

/// An application with windows that each show one contact or the list of all contacts.
@main struct Contacts: SceneApplication {
  static let id = "org.example.ContactList"

  private let screen = Screen(help: "NAME selects a contact, none no contact; new opens a window")

  var body: some SceneDeclarations {
    WindowGroup("Contacts", id: "list") { ContactList(store: ContactStore(), on: screen) }
  }

  var claims: Claims { Claims(schemes: ["contact"], activityTypes: [Contact.userActivityType]) }
}
