extension SceneRegistry {
  /// Charged to nobody, because files belong to the configuration; declarations of connections stay in force.
  ///
  /// `declarations` has at most one for each application, in the order of ``FileDeclarations``.
  @discardableResult
  package mutating func setFileDeclarations(
    _ declarations: [ApplicationDeclaration]
  ) -> (removed: [String], changed: [String]) {
    let known = declarations.map { applicationsByID[$0.applicationID] }
    let removed = removeFileDeclarations(ofAllBut: known)
    var places = FilePlaces()
    for (application, declaration) in zip(known, declarations) {
      // The order of two declarations depends only on their content, so unchanged ones can keep their places.
      places.append(application?.isDeclaredByFile(as: declaration) == true ? application?.filePlace : nil)
    }
    let new = places.assigned()
    for (application, place) in zip(known, new) where place != nil {
      if let application, application.isDeclaredByFileAlone { withdrawDeclaration(of: application) }
    }
    // The loop above has withdrawn every declaration in force that gets a new place, so its old place is free.
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

/// A place is a number by which the declarations from files are sorted.
struct FilePlaces {
  /// At least ten declarations fit one after the other between two neighbors; without room, all get new places.
  private static let distance = 1 << 10

  /// Ascending; `nil` for a declaration that needs a new place.
  private var present: [Int?] = []

  mutating func append(_ place: Int?) { present.append(place) }

  /// `nil` for a declaration that keeps its place; kept and new places together ascend.
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
