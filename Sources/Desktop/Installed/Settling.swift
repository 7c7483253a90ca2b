/// Decides when changed files are read.
///
/// The files are read when no file has changed for ``quiet``, or when ``longest`` has passed since the first change. So
/// a file that changes all the time cannot delay other changes or keep the processor busy.
package struct Settling: Sendable {
  /// How long the files must stay unchanged before they are read.
  ///
  /// A program may write several files, one after the other. This pause lets these files be read together.
  package static let quiet = Duration.milliseconds(50)
  /// The longest time from the first change until the files are read.
  package static let longest = Duration.seconds(1)

  private var first: ContinuousClock.Instant?
  private var last: ContinuousClock.Instant?

  /// Makes a state in which no change has been noted.
  package init() {}

  /// Notes a change; returns true if no change was noted before.
  package mutating func note(at now: ContinuousClock.Instant) -> Bool {
    last = now
    guard first == nil else { return false }
    first = now
    return true
  }

  /// The time at which the changed files are to be read; nil if no file has changed.
  package var deadline: ContinuousClock.Instant? {
    guard let first, let last else { return nil }
    return min(last + Self.quiet, first + Self.longest)
  }
}
