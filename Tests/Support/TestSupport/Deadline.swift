import Glibc

/// The point in time at which a waiting test gives up.
///
/// A test that would otherwise hang fails at the deadline. A test that succeeds never waits until the deadline.
package struct Deadline: Sendable {
  private let instant: ContinuousClock.Instant

  /// Makes a deadline `duration` from now.
  ///
  /// The default is far longer than any step takes on a busy machine.
  package init(in duration: Duration = .seconds(600)) {
    instant = .now + duration
  }

  /// The milliseconds left; 0 if the deadline has passed.
  package var millisecondsLeft: Int {
    max(0, Int(ContinuousClock.now.duration(to: instant) / .milliseconds(1)))
  }

  /// Waits until a condition holds that no program reports.
  ///
  /// The condition is evaluated 20 times a second, because the programs that fulfil it need the processor.
  ///
  /// - Parameters:
  ///   - problem: The sentence of the error.
  ///   - isTrue: The condition.
  /// - Throws: `Overdue` if the condition does not hold at the deadline.
  package func wait(_ problem: @autoclosure () throws -> String, until isTrue: () throws -> Bool) throws {
    while try !isTrue() {
      guard millisecondsLeft > 0 else { throw Overdue(try problem()) }
      usleep(50_000)
    }
  }
}

/// The error that a step of a test did not have the expected result.
package struct Overdue: Error, CustomStringConvertible {
  /// A sentence that says what went wrong.
  package let description: String

  /// Makes the error with a sentence that says what went wrong.
  package init(_ description: String) {
    self.description = description
  }
}
