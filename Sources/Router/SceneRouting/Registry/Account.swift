/// What grows with the calls of clients is charged here when it begins, and released when it ends.
package struct Account: Sendable {
  package internal(set) var scenes = 0
  /// In the sets of scenes and declarations.
  package internal(set) var identifiers = 0
  /// Scenes and applications at their size in a JSON list, activities, queued replies, events under way and remembered.
  package internal(set) var bytes = 0
  package internal(set) var pendingEvents = 0

  var isIdle: Bool { scenes == 0 && identifiers == 0 && bytes == 0 && pendingEvents == 0 }
}

/// A list: few users are served at the same time, and searching a short list is faster than any table.
struct Accounts {
  private var entries: [(user: UserID, account: Account)] = []

  subscript(user: UserID) -> Account {
    get { entries.first { $0.user == user }?.account ?? Account() }
    _modify {
      let present = entries.firstIndex { $0.user == user }
      let index = present ?? entries.count
      if present == nil { entries.append((user, Account())) }
      defer {
        if entries[index].account.isIdle { entries.remove(at: index) }
      }
      yield &entries[index].account
    }
  }
}

struct Charge {
  var identifiers = 0
  /// For a scene or an application, its size in a JSON list; may be a few bytes too large.
  var bytes = 0

  static func + (left: Charge, right: Charge) -> Charge {
    Charge(identifiers: left.identifiers + right.identifiers, bytes: left.bytes + right.bytes)
  }

  static func - (left: Charge, right: Charge) -> Charge {
    Charge(identifiers: left.identifiers - right.identifiers, bytes: left.bytes - right.bytes)
  }

  init(identifiers: Int = 0, bytes: Int = 0) {
    self.identifiers = identifiers
    self.bytes = bytes
  }

  init(_ identifiers: [String]) {
    self.identifiers = identifiers.count
    bytes = identifiers.listedSize
  }
}

extension String {
  /// The most bytes that the text can take in a JSON list, with quotes and a comma.
  var listedSize: Int {
    var size = utf8.count + 3
    for byte in utf8 where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      // The longest escape, such as `\u0000`, has five bytes more than the byte that it replaces.
      size += byte < 0x20 ? 5 : 1
    }
    return size
  }
}

extension [String] {
  var listedSize: Int { reduce(0) { $0 + $1.listedSize } }
}

extension Account {
  /// Changes nothing if the identifiers or the bytes would grow beyond the user's limit.
  mutating func recharge(from removed: Charge, to added: Charge, within limits: Limits) -> CallError? {
    let identifiers = self.identifiers - removed.identifiers + added.identifiers
    let bytes = self.bytes - removed.bytes + added.bytes
    if identifiers > limits.identifiersPerUser, added.identifiers > removed.identifiers {
      return .limitExceeded(.identifiersPerUser, maximum: limits.identifiersPerUser)
    }
    if bytes > limits.bytesPerUser, added.bytes > removed.bytes {
      return .limitExceeded(.bytesPerUser, maximum: limits.bytesPerUser)
    }
    self.identifiers = identifiers
    self.bytes = bytes
    return nil
  }
}

package struct Client: Hashable, Sendable, IDTableKey {
  /// The user who is charged for all consequences of the call.
  package var user: UserID
  /// `nil` if the process is in another PID namespace.
  package var processID: Int32?
  /// Never 0.
  package var connection: UInt64

  package var tableKey: UInt64 { connection }

  package init(user: UserID, processID: Int32? = nil, connection: UInt64 = 1) {
    self.user = user
    self.processID = processID
    self.connection = connection
  }
}
