import SceneClient

/// Of the activities that a window's views offer, the one that became active last is the current one.
struct OfferedActivities {
  /// An activity is known by its place among the body's activities of this type, because all else may change when the
  /// body is evaluated again.
  private struct Offer: Equatable {
    let activityType: String
    let place: Int
  }

  /// In the order in which they became active.
  private var active: [Offer] = []

  /// Takes all activities of the body, in its order, and returns the current one.
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
