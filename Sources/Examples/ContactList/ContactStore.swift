import FoundationEssentials

/// A person.
struct Contact: Identifiable {
  static let userActivityType = "org.example.ContactList.contact"

  let id: UUID
  let name: String
}

/// The stored contacts.
struct ContactStore {
  let contacts: [Contact] = [
    ("Ada", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A01"),
    ("Grace", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A02"),
    ("Edsger", "3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A03"),
  ]
  .compactMap { name, id in UUID(uuidString: id).map { Contact(id: $0, name: name) } }

  subscript(id: UUID?) -> Contact? { contacts.first { $0.id == id } }

  /// Returns the contact whose id is in the text.
  func contact(in text: String) -> Contact? {
    contacts.first { text.uppercased().contains($0.id.uuidString) }
  }
}
