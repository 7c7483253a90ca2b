/// Says when changes of files are taken in: once nothing has changed for a while, but not too long after the first.
///
/// A file that changes all the time thus neither keeps other changes waiting nor the processor busy.
package struct Settling: Sendable {
  /// How long nothing may have changed: programs write several files one after the other.
  package static let quiet = Duration.milliseconds(50)
  /// How long after the first change it is at the latest.
  package static let longest = Duration.seconds(1)

  private var first: ContinuousClock.Instant?
  private var last: ContinuousClock.Instant?

  /// No changes.
  package init() {}

  /// Notes a change; returns whether it is the first.
  package mutating func note(at now: ContinuousClock.Instant) -> Bool {
    last = now
    guard first == nil else { return false }
    first = now
    return true
  }

  /// When the changes are to be taken in; nil if there are none.
  package var deadline: ContinuousClock.Instant? {
    guard let first, let last else { return nil }
    return min(last + Self.quiet, first + Self.longest)
  }
}
