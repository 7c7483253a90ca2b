import Observation

/// Reads and changes the value that a window shows.
///
///     WindowGroup(id: "photo", for: Photo.ID.self) { $photo in Detail(photo: $photo) }
@propertyWrapper public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// The current value.
  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  /// The binding itself, which code gets by writing `$` before the property's name.
  public var projectedValue: Binding { self }

  /// Makes a binding to a value that `get` returns and `set` changes.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    read = get
    write = set
  }

  /// Makes a copy of a binding, as Swift does for a closure whose parameter has a name with `$`, such as `$photo`.
  public init(projectedValue: Binding) {
    self = projectedValue
  }
}

/// A change of the value causes a new evaluation of each body that has read it.
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
