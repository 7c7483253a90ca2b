import Foundation
import ScriptedService
import TestSupport
import Testing

/// The tool with a router, such as that of another machine, whose texts would steer the terminal.
@Suite(.blocking) struct HostileRouterTests {
  private static let record =
    #"{"decisionId":"ID\u001b[2J","routedUSec":1,"settledUSec":2,"#
    + #""attempts":[{"generation":1,"rule":"x","applicationId":"app","result":"declined","reason":"why\u001b[2J"}]}"#

  @Test func noTextSteersTheTerminal() throws {
    let router = try ScriptedListener()
    let tool = try SpawnedProgram("scenectl", ["history"], environment: ["SCENED_SOCKET": router.path])
    let peer = try router.accept()
    _ = try peer.nextCall()
    try peer.send(#"{"parameters":{"records":[\#(Self.record)]}}"#)
    let line = try tool.outputLine(containing: "ID")
    #expect(line.contains(#"ID\u{1b}[2J"#) && line.contains(#"why\u{1b}[2J"#) && !line.contains("\u{1b}"))
    #expect(try tool.waitForEnd() == .exit(0))
  }
}
