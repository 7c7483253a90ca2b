/// One order of applications that keeps the orders of several types.
///
/// The router has one order of all applications, and lists have one for each type. Where types contradict each other,
/// the first of them counts.
struct AssociationOrder {
  private struct Application {
    let id: String
    /// How many are directly before it in some type and not yet sorted.
    var before = 0
    /// Those directly behind it.
    var behind: [Int] = []
    var isSorted = false
  }

  private var applications: [Application] = []
  private var indices: [String: Int] = [:]
  /// All applications.
  private(set) var sorted: [String] = []

  init(of types: [[String]]) {
    for type in types {
      var previous: Int?
      for id in type {
        let index = index(of: id)
        if let previous {
          applications[previous].behind.append(index)
          applications[index].before += 1
        }
        previous = index
      }
    }
    var ready = applications.indices.filter { applications[$0].before == 0 }
    var (first, next) = (0, 0)
    while sorted.count < applications.count {
      while next < ready.count {
        sort(ready[next], &ready)
        next += 1
      }
      // What is left contradicts itself.
      while first < applications.count, applications[first].isSorted { first += 1 }
      if first < applications.count { sort(first, &ready) }
    }
  }

  private mutating func index(of id: String) -> Int {
    if let index = indices[id] { return index }
    applications.append(Application(id: id))
    indices[id] = applications.count - 1
    return applications.count - 1
  }

  private mutating func sort(_ index: Int, _ ready: inout [Int]) {
    guard !applications[index].isSorted else { return }
    applications[index].isSorted = true
    sorted.append(applications[index].id)
    for next in applications[index].behind {
      applications[next].before -= 1
      if applications[next].before == 0 { ready.append(next) }
    }
  }
}
