import Testing

@testable import VarlinkServer

/// A client that answers in a known time, and a loop that waits for it.
private struct Dialogue {
  /// How soon its answers come while the loop is awake, and how soon they are noticed while it sleeps.
  var (awake, asleep): (UInt64, UInt64)
  var answerTime = AnswerTime()

  /// Waits for some answers; returns how many were looked for, and at how many looks.
  mutating func wait(for count: Int) -> (lookedFor: Int, looks: Int) {
    var (lookedFor, looks) = (0, 0)
    for _ in 0..<count {
      guard let firstLook = answerTime.nextFirstLookUSec() else {
        answerTime.noteSleep(afterLooking: false, until: asleep)
        continue
      }
      lookedFor += 1
      let times = (0..<AnswerTime.looks).map { firstLook + UInt64($0) * AnswerTime.pauseUSec }
      if let look = times.firstIndex(where: { $0 >= awake }) {
        looks += look + 1
        answerTime.noteAnswer(atLook: look, after: times[look])
      } else {
        looks += times.count
        answerTime.noteSleep(afterLooking: true, until: max(asleep, times[times.count - 1]))
      }
    }
    return (lookedFor, looks)
  }
}

@Suite struct AnswerTimeTests {
  @Test(arguments: [(awake: UInt64(2), asleep: UInt64(20)), (10, 30), (20, 50), (60, 90)])
  func answersAreLookedForWhenTheyUsuallyCome(_ awake: UInt64, _ asleep: UInt64) {
    var dialogue = Dialogue(awake: awake, asleep: asleep)
    _ = dialogue.wait(for: 100)
    let (lookedFor, looks) = dialogue.wait(for: 1000)
    #expect(lookedFor > 980)
    #expect(looks <= 2 * lookedFor)
  }

  @Test(arguments: [(awake: UInt64(20), asleep: UInt64(10)), (30, 30), (70, 80), (200, 90)])
  func loopSleepsWhereAnswersComeNoSooner(_ awake: UInt64, _ asleep: UInt64) {
    var dialogue = Dialogue(awake: awake, asleep: asleep)
    _ = dialogue.wait(for: 100)
    #expect(dialogue.wait(for: 1000).lookedFor < 20)
  }

  @Test func clientThatTakesItsTimeIsNeverWaitedForAwake() {
    var dialogue = Dialogue(awake: 101, asleep: 101)
    #expect(dialogue.wait(for: 1000).lookedFor == 0)
  }

  @Test func waitThatEndsBeforeAnAnswerIsSilence() {
    var dialogue = Dialogue(awake: 10, asleep: 30)
    _ = dialogue.wait(for: 100)
    dialogue.answerTime.noteSleep(afterLooking: true, until: nil)
    #expect(dialogue.answerTime.nextFirstLookUSec() == nil)
  }

  @Test func silenceEndsTheWatch() {
    var dialogue = Dialogue(awake: 10, asleep: 30)
    _ = dialogue.wait(for: 100)
    (dialogue.awake, dialogue.asleep) = (1000, 1000)
    #expect(dialogue.wait(for: 1000).lookedFor == 1)
  }

  @Test func clientThatOftenFallsSilentIsSeldomLookedFor() {
    var dialogue = Dialogue(awake: 20, asleep: 40)
    var lookedForInVain = 0
    for _ in 0..<1000 {
      (dialogue.awake, dialogue.asleep) = (20, 40)
      _ = dialogue.wait(for: 2)
      (dialogue.awake, dialogue.asleep) = (1000, 1000)
      lookedForInVain += dialogue.wait(for: 1).lookedFor
    }
    #expect(lookedForInVain < 100)
  }

  @Test func loopAsleepNoticesThatAnswersWouldComeSooner() {
    var dialogue = Dialogue(awake: 30, asleep: 10)
    _ = dialogue.wait(for: 100)
    (dialogue.awake, dialogue.asleep) = (10, 40)
    _ = dialogue.wait(for: 1000)
    #expect(dialogue.wait(for: 1000).lookedFor > 980)
  }

  @Test func loopAwakeNoticesThatAnswersWouldComeSooner() {
    var dialogue = Dialogue(awake: 10, asleep: 40)
    _ = dialogue.wait(for: 100)
    (dialogue.awake, dialogue.asleep) = (30, 10)
    _ = dialogue.wait(for: 1000)
    #expect(dialogue.wait(for: 1000).lookedFor < 20)
  }
}
