import SceneClient

/// The activities that the views of a window offer.
///
/// The activity that became active last is the current one.
struct OfferedActivities {
  /// Identifies an offered activity by its type, and by its number among the body's activities of this type.
  ///
  /// Nothing else identifies the activity, because a new evaluation of the body may change everything else about it.
  private struct Offer: Equatable {
    let activityType: String
    let place: Int
  }

  /// The active offers, in the order in which they became active.
  private var active: [Offer] = []

  /// Replaces the offers with `activities`, and returns the current activity.
  ///
  /// `activities` are all activities that the body offers now, in the order in which it lists them.
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
