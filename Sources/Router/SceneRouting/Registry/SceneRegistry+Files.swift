extension SceneRegistry {
  /// Replaces the declarations of all files.
  ///
  /// The declarations of connections stay in force.
  ///
  /// Files belong to the configuration, not to a user, and are charged to nobody. A declaration that has not
  /// changed keeps its place and costs one comparison.
  ///
  /// - Parameter declarations: At most one for each application, in the order of ``FileDeclarations``.
  /// - Returns: The applications that have no declaration any longer, and the applications whose declaration in
  ///   force has changed.
  @discardableResult
  package mutating func setFileDeclarations(
    _ declarations: [ApplicationDeclaration]
  ) -> (removed: [String], changed: [String]) {
    let known = declarations.map { applicationsByID[$0.applicationID] }
    let removed = removeFileDeclarations(ofAllBut: known)
    var places = FilePlaces()
    for (application, declaration) in zip(known, declarations) {
      // An unchanged declaration can keep its place. The order of two declarations depends only on their content. The
      // unchanged declarations are therefore still in the right order.
      places.append(application?.isDeclaredByFile(as: declaration) == true ? application?.filePlace : nil)
    }
    let new = places.assigned()
    for (application, place) in zip(known, new) where place != nil {
      if let application, application.isDeclaredByFileAlone { withdrawDeclaration(of: application) }
    }
    // The loop above has withdrawn every declaration in force that gets a new place. Its old place is free again.
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

/// Assigns a place to each declaration from a file.
///
/// A place is a number by which these declarations are sorted.
struct FilePlaces {
  /// The usual distance between two neighboring places.
  ///
  /// At this distance, at least ten declarations can be inserted one after the other between two neighbors. If a
  /// declaration no longer fits between its neighbors, all declarations get new places.
  private static let distance = 1 << 10

  /// The present place of each declaration; nil for each declaration that needs a new place.
  ///
  /// The present places ascend.
  private var present: [Int?] = []

  /// Adds the next declaration; `place` is nil if the declaration needs a new place.
  mutating func append(_ place: Int?) { present.append(place) }

  /// The new place of each declaration, in the order of the calls of ``append(_:)``.
  ///
  /// An element is `nil` if the declaration keeps its place. In the order of the calls, the new and the kept places
  /// together ascend.
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
