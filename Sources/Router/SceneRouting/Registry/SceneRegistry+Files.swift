extension SceneRegistry {
  /// Replaces everything that files declare; what connections declare stays in force.
  ///
  /// Files belong to the configuration, not to a user, and are charged to nobody. What is declared as before stays
  /// where it is and costs a comparison.
  ///
  /// - Parameter declarations: At most one for each application, as ``FileDeclarations`` has them.
  /// - Returns: The applications that have no declaration any longer, and those whose declaration in force has changed.
  @discardableResult
  package mutating func setFileDeclarations(
    _ declarations: [ApplicationDeclaration]
  ) -> (removed: [String], changed: [String]) {
    let known = declarations.map { applicationsByID[$0.applicationID] }
    let removed = removeFileDeclarations(ofAllBut: known)
    var places = FilePlaces()
    for (application, declaration) in zip(known, declarations) {
      // Those that are as before are in their old order, as it follows from what they declare.
      places.append(application?.isDeclaredByFile(as: declaration) == true ? application?.filePlace : nil)
    }
    let new = places.assigned()
    for (application, place) in zip(known, new) where place != nil {
      if let application, application.isDeclaredByFileAlone { withdrawDeclaration(of: application) }
    }
    // After the last of them has left its place.
    var changed: [String] = []
    for index in new.indices {
      guard let place = new[index] else { continue }
      let application = known[index] ?? application(for: declarations[index].applicationID)
      application.filePlace = place
      if application.declaration == nil {
        install(declarations[index], of: application, owner: nil)
        changed.append(application.id)
      } else {
        application.fileDeclaration = declarations[index]
      }
    }
    if !removed.isEmpty || !changed.isEmpty { generation += 1 }
    return (removed, changed)
  }

  private mutating func removeFileDeclarations(ofAllBut kept: [Application?]) -> [String] {
    var isKept = [Bool](repeating: false, count: applications.count)
    for application in kept { if let application { isKept[Int(application.slot)] = true } }
    var removed: [String] = []
    for application in applications.compactMap(\.self) where application.isDeclaredByFile {
      guard !isKept[Int(application.slot)] else { continue }
      application.fileDeclaration = nil
      guard application.isDeclaredByFileAlone else { continue }
      withdrawDeclaration(of: application)
      removeIfUnused(application)
      removed.append(application.id)
    }
    return removed
  }
}

/// Places of declarations among those from files.
struct FilePlaces {
  /// Room between two of them: ten can be put in between, one after the other, before all get other places.
  private static let distance = 1 << 10

  /// The places of those that stay, which rise; nil for each of the others.
  private var present: [Int?] = []

  /// Adds the next one, with its place if it has one.
  mutating func append(_ place: Int?) { present.append(place) }

  /// The places for those that have none, so that all rise; nil for each that keeps its place.
  func assigned() -> [Int?] {
    var assigned = [Int?](repeating: nil, count: present.count)
    var last = 0
    var index = 0
    while index < present.count {
      let end = present[index...].firstIndex { $0 != nil } ?? present.count
      let count = end - index
      let next = (end < present.count ? present[end] : nil) ?? .max
      let distance = min(Self.distance, (next - last) / (count + 1))
      guard count == 0 || distance > 0 else { return present.indices.map { ($0 + 1) * Self.distance } }
      for offset in 0..<count { assigned[index + offset] = last + (offset + 1) * distance }
      last = next
      index = end + 1
    }
    return assigned
  }
}
