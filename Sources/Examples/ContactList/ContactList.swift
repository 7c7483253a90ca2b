import ExampleScreen
import ExternalEvents
import FoundationEssentials
import Observation

/// Apple's example of `handlesExternalEvents(preferring:allowing:)`.
///
/// Without a selected contact, the window takes the events of every contact. With a selected contact, the window takes
/// only the events of this contact.
@Observable final class ContactList: WindowContent {
  let store: ContactStore
  var selectedContact: UUID?

  @ObservationIgnored private let screen: Screen
  @ObservationIgnored @Environment(\.openWindow) private var openWindow
  @ObservationIgnored @Environment(\.dismiss) private var dismiss

  init(store: ContactStore, on screen: Screen) {
    self.store = store
    self.screen = screen
  }

  var body: some WindowModifiers {
    Views()
      .handlesExternalEvents(
        preferring: selectedContact == nil
          ? []
          : [selectedContact!.uuidString],
        allowing: selectedContact == nil
          ? ["*"]
          : []
      )
      .onContinueUserActivity(Contact.userActivityType) { [self] activity in
        if let identifier = activity.targetContentIdentifier {
          selectedContact = UUID(uuidString: identifier)
        }
        screen.light(self, "continues the activity")
      }
      .userActivity(
        Contact.userActivityType,
        isActive: selectedContact != nil
      ) { [self] activity in
        activity.title = "Contact"
        activity.targetContentIdentifier = selectedContact?.uuidString
        activity.isEligibleForHandoff = true
      }
      .onOpenURL { [self] url in
        selectedContact = store.contact(in: url.absoluteString)?.id
        screen.light(self, "opens \(url.absoluteString)")
      }
      .title(heading)
      .isActive(screen.isActive(self))
  }

  func run() async throws { await screen.show(self) }

  func raise(activationToken: String?) { screen.activate(self) }
}

// MARK: - In a terminal

extension ContactList: ScreenWindow {
  var heading: String { store[selectedContact]?.name ?? "Contacts" }

  var text: String {
    selectedContact?.uuidString ?? store.contacts.map(\.name).joined(separator: ", ")
  }

  func perform(_ command: String) {
    switch command {
    case "new": openWindow(id: "list")
    case "none": selectedContact = nil
    default: selectedContact = store.contacts.first { $0.name.hasPrefix(command) }?.id ?? selectedContact
    }
  }

  func close() { dismiss() }
}
