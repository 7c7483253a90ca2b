import Observation

/// The value that a window shows, which its content can change.
///
///     WindowGroup(id: "photo", for: Photo.ID.self) { $photo in Detail(photo: $photo) }
@propertyWrapper public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// The value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself.
  public var projectedValue: Binding { self }

  /// A value that `get` reads and `set` writes.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    read = get
    write = set
  }

  /// Lets a closure name its parameter `$value`.
  public init(projectedValue: Binding) {
    self = projectedValue
  }
}

/// The value that a window shows; a body that reads it is evaluated again when it changes.
@Observable final class PresentedValue {
  var value: (any Hashable & Sendable)?

  init(_ value: (any Hashable & Sendable)?) {
    self.value = value
  }

  func binding<Value: Hashable & Sendable>() -> Binding<Value?> {
    Binding(get: { self.value as? Value }, set: { self.value = $0 })
  }

  func isEqual(to other: any Hashable & Sendable) -> Bool {
    value.map { AnyHashable($0) == AnyHashable(other) } ?? false
  }
}
