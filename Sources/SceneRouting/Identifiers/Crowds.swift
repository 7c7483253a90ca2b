/// The orders in which those stand who hold the same text, for each text that many hold.
struct Crowds {
  struct Crowd {
    let group: HolderGroupID
    /// The owners of sets of each kind; none of them is gone.
    fileprivate var candidates = IdentifierSetKind.allCases.map { _ in CandidateSet() }
    /// How many sets there are.
    var count = 0
    /// Whether it waits to become a list again.
    var isSmall = false

    /// Calls `body` with each owner of a set of one kind, in no order.
    func forEach(_ kind: IdentifierSetKind, _ body: (Candidate) -> Void) {
      candidates[kind.rawValue].forEach(body)
    }
  }

  private var crowds = SlotTable<Crowd>()
  /// The applications that take no part in what nobody claims, by their slots.
  private var isAbstaining: [Bool] = []

  var count: Int { crowds.count }

  subscript(crowd: Int32) -> Crowd? {
    @inline(__always) _read { yield crowds[crowd] }
    @inline(__always) _modify { yield &crowds[crowd] }
  }

  mutating func make(of group: HolderGroupID) -> Int32 { crowds.insert(Crowd(group: group)) }

  mutating func remove(_ crowd: Int32) { crowds.remove(crowd) }

  /// Puts an owner in order.
  mutating func insert(_ owner: Candidate, _ kind: IdentifierSetKind, into crowd: Int32) {
    let takesUnclaimed = takesUnclaimed(owner.application)
    crowds[crowd]?.candidates[kind.rawValue].insert(owner, takesUnclaimed: takesUnclaimed)
  }

  mutating func remove(_ owner: Candidate, _ kind: IdentifierSetKind, from crowd: Int32) {
    crowds[crowd]?.candidates[kind.rawValue].remove(owner)
  }

  /// Gives an owner another place in the order.
  mutating func move(_ owner: Candidate, to moved: Candidate, _ kind: IdentifierSetKind, in crowd: Int32) {
    crowds[crowd]?.candidates[kind.rawValue].move(owner, to: moved)
  }

  /// Notes whether an application takes part in what nobody claims, which costs a few steps for each crowd.
  mutating func setTakesUnclaimed(_ takesUnclaimed: Bool, of application: Slot) {
    guard self.takesUnclaimed(application) != takesUnclaimed else { return }
    while isAbstaining.count <= application { isAbstaining.append(false) }
    isAbstaining[Int(application)] = !takesUnclaimed
    for crowd in crowds.slots {
      for kind in IdentifierSetKind.allCases {
        crowds[crowd]?.candidates[kind.rawValue].setTakesUnclaimed(takesUnclaimed, of: application)
      }
    }
  }

  /// Whether an application takes part in what nobody claims.
  func takesUnclaimed(_ application: Slot) -> Bool {
    isAbstaining.indices.contains(Int(application)) ? !isAbstaining[Int(application)] : application >= 0
  }

  /// The first owner in a scope of those that are accepted; see ``CandidateSet/first(in:ofApplications:where:)``.
  func first(
    _ kind: IdentifierSetKind,
    of crowd: Int32,
    in scope: Scope,
    ofApplications isOpen: (Slot) -> Bool,
    where isAccepted: (Candidate) -> Bool
  ) -> Candidate? {
    crowds[crowd]?.candidates[kind.rawValue].first(in: scope, ofApplications: isOpen, where: isAccepted)
  }
}
