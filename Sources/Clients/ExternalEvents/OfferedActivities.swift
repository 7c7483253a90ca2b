import SceneClient

/// The activities that the views of a window offer: the one that became active last is current.
struct OfferedActivities {
  /// The place of an activity among those of its kind in the body: views have no other identity.
  private struct Offer: Equatable {
    let activityType: String
    let place: Int
  }

  /// Those that are active, the latest last.
  private var active: [Offer] = []

  /// Takes what the body offers now, in its order, and returns what is current.
  mutating func update(_ activities: [Activity]) -> Activity? {
    var counts: [String: Int] = [:]
    let offers = activities.map { activity in
      counts[activity.activityType, default: 0] += 1
      return Offer(activityType: activity.activityType, place: counts[activity.activityType] ?? 0)
    }
    active.removeAll { !offers.contains($0) }
    active += offers.filter { !active.contains($0) }
    return active.last.flatMap { offers.firstIndex(of: $0) }.map { activities[$0] }
  }
}
