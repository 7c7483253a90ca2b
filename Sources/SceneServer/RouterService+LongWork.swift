import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

/// The end of an event, and who has yet to be told of it.
struct LongEnding {
  let event: DecisionID
  let end: EventEnd
  var waiting: WaitingCalls
}

extension RouterService {
  /// How many calls are told of an end in a step; where its text is long, it counts for more.
  private static let mostTold = 64

  var hasWork: Bool { !longEndings.isEmpty }

  func work() { goOnWithEnding() }

  /// Tells everybody who waits for the end of an event, at once or in steps if they are many.
  func tell(_ waiting: WaitingCalls, _ event: DecisionID, _ end: EventEnd) {
    var ending = LongEnding(event: event, end: end, waiting: waiting)
    tellSome(&ending)
    if !ending.waiting.isEmpty { longEndings.append(ending) }
  }

  /// Tells everybody who has yet to be told of the end of an event.
  func tellAll() { while !longEndings.isEmpty { goOnWithEnding() } }

  private func goOnWithEnding() {
    // Without a copy, so that who is told is taken out where he is.
    tellSome(&longEndings.first)
    if longEndings.first.waiting.isEmpty { _ = longEndings.removeFirst() }
  }

  private func tellSome(_ ending: inout LongEnding) {
    let weight = 1 + (ending.end.decision.matchedString?.utf8.count ?? 0) / 1024
    var left = Self.mostTold
    while left > 0, let call = ending.waiting.popLast() {
      tell(call, ending.event, ending.end)
      left -= weight
    }
  }
}
