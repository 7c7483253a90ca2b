/// Decides when changed files are read.
///
/// A file that changes all the time must not delay other changes or keep the processor busy.
package struct Settling: Sendable {
  /// A program may write several files, one after the other, which are then read together.
  package static let quiet = Duration.milliseconds(50)
  package static let longest = Duration.seconds(1)

  private var first: ContinuousClock.Instant?
  private var last: ContinuousClock.Instant?

  package init() {}

  /// Returns true if no change was noted before.
  package mutating func note(at now: ContinuousClock.Instant) -> Bool {
    last = now
    guard first == nil else { return false }
    first = now
    return true
  }

  package var deadline: ContinuousClock.Instant? {
    guard let first, let last else { return nil }
    return min(last + Self.quiet, first + Self.longest)
  }
}
