/// The time by which something a test waits for must have happened.
///
/// It only serves to fail instead of hanging: nothing waits until it is reached if all is well.
package struct Deadline: Sendable {
  private let instant: ContinuousClock.Instant

  /// A deadline `duration` from now; by default far longer than anything takes on a machine that is busy with others'.
  package init(in duration: Duration = .seconds(600)) {
    instant = .now + duration
  }

  /// The milliseconds left, 0 if it has passed.
  package var millisecondsLeft: Int {
    max(0, Int(ContinuousClock.now.duration(to: instant) / .milliseconds(1)))
  }
}

/// What a test waited for and did not happen.
package struct Overdue: Error, CustomStringConvertible {
  /// What was waited for, and what was seen instead.
  package let description: String

  /// Describes what was waited for.
  package init(_ description: String) {
    self.description = description
  }
}
