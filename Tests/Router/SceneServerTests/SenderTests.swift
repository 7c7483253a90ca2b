import Glibc
import RouterInterface
import TestSupport
import Testing
import UnixSocket

@testable import SceneServer

/// Tests how the router describes the process that sends an event.
@Suite struct SenderTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func deliveriesAndOpenRequestsTellWhoSent(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let process = RunningProcess(reading: getpid())
    let unit = process.controlGroups.map { SendingUnit(ofControlGroups: $0) }
    let application: String? = if case .application(let id)? = unit { id } else { nil }
    let sender = Sender(processID: Int64(getpid()), name: process.name, applicationID: application)
    let scene = try router.open()
    for _ in 1...2 {
      let client = try router.send("test:one")
      #expect(try scene.acknowledgeNext().sender == sender)
      _ = try client.outcome()
    }
    let declared = try router.declare("other")
    let client = try router.send(
      Wire.SendEventCall(event: Event(.url("test:two")), applicationID: "other")
    )
    let request = try declared.request()
    #expect(request.sender == sender)
    let opened = try router.open("other", answering: request)
    #expect(try opened.acknowledgeNext().sender == sender)
    _ = try client.outcome()
  }
}
