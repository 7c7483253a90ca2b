import Dispatch
import Foundation
import QueueExecution
import SessionBus
import TestSupport
import Testing

/// Calls and signals over a real bus.
@Suite(.blocking) struct BusConnectionTests {
  private static let busName = "org.freedesktop.DBus"

  private static func busCall(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
    BusCall(member, of: busName, at: "/org/freedesktop/DBus", in: busName, arguments)
  }

  private static func connection(to address: String?) -> BusConnection {
    BusConnection(on: QueueExecutor(label: "test.bus"), address: address)
  }

  private func reply(to call: BusCall, on bus: BusConnection, timeLimit: Duration = .seconds(600)) async
    -> BusConnection.Reply
  {
    await withCheckedContinuation { continuation in
      bus.call(call, timeLimit: timeLimit) { continuation.resume(returning: $0) }
    }
  }

  @Test func errorHasItsNameAndMessage() async throws {
    let server = try MessageBus()
    let bus = Self.connection(to: server.address)
    let call = BusCall("Do", of: "org.example.I", at: "/", in: "org.example.Missing")
    guard case .failure(.refused(let name, let message)) = await reply(to: call, on: bus) else {
      Issue.record("There was no error.")
      return
    }
    #expect(name == "org.freedesktop.DBus.Error.ServiceUnknown")
    #expect(message.contains("org.example.Missing"))
    bus.close()
  }

  @Test func missingBusIsAnError() async {
    let bus = Self.connection(to: "unix:path=/nonexistent/bus")
    let reply = await reply(to: Self.busCall("GetId"), on: bus)
    #expect(reply == .failure(.unavailable(code: ENOENT)))
  }

  @Test func whatDBusCannotCarryIsAnError() async throws {
    let server = try MessageBus()
    let bus = Self.connection(to: server.address)
    let cut = Self.busCall("NameHasOwner", [.string("a\0b")])
    #expect(await reply(to: cut, on: bus) == .failure(.unsendable(cut, code: EINVAL)))
    let nowhere = BusCall("Do", of: "org.example.I", at: "no path", in: "org.example.A")
    #expect(await reply(to: nowhere, on: bus) == .failure(.unsendable(nowhere, code: EINVAL)))
    bus.close()
  }

  @Test func connectionIsMadeAgainAfterItsEnd() async throws {
    let first = try MessageBus()
    let bus = Self.connection(to: first.address)
    #expect(try await reply(to: Self.busCall("GetId"), on: bus).get().count == 1)
    let (reports, continuation) = AsyncStream<BusConnection.Report>.makeStream()
    _ = bus.subscribe(
      SignalMatch("NameOwnerChanged", of: Self.busName, at: "/org/freedesktop/DBus", in: Self.busName)
    ) {
      continuation.yield($0)
    }
    #expect(try await reply(to: Self.busCall("GetId"), on: bus).get().count == 1)
    try first.end()
    for await report in reports {
      if case .ended = report { break }
    }
    guard case .failure(.unavailable) = await reply(to: Self.busCall("GetId"), on: bus) else {
      Issue.record("The bus has ended.")
      return
    }
    let second = try MessageBus(at: first.address)
    #expect(try await reply(to: Self.busCall("GetId"), on: bus).get().count == 1)
    withExtendedLifetime(second) { bus.close() }
  }

  @Test func callsWithoutAReplyFailWithTheConnection() async throws {
    let server = try MessageBus(
      services: [
        "org.example.Hidden": SpawnedProgram.buildDirectory
          + "/ServeApplicationOnBus org.example.Hidden none hide"
      ],
      // The timeout is longer than the test takes on a busy machine.
      startTimeout: 600_000
    )
    let bus = Self.connection(to: server.address)
    let call = BusCall("Do", of: "org.example.I", at: "/", in: "org.example.Hidden")
    #expect(await reply(to: call, on: bus, timeLimit: .milliseconds(1)) == .failure(.timedOut))
    let (replies, continuation) = AsyncStream<BusConnection.Reply>.makeStream()
    bus.call(call, timeLimit: .seconds(600)) { continuation.yield($0) }
    #expect(try await reply(to: Self.busCall("GetId"), on: bus).get().count == 1)
    try server.end()
    #expect(await replies.first { _ in true } == .failure(.disconnected))
  }

  @Test func signalsComeAsLongAsTheyAreSubscribedTo() async throws {
    let server = try MessageBus()
    let bus = Self.connection(to: server.address)
    let (reports, continuation) = AsyncStream<BusSignal>.makeStream()
    func match(_ name: String) -> SignalMatch {
      SignalMatch(
        "NameOwnerChanged",
        of: Self.busName,
        at: "/org/freedesktop/DBus",
        in: Self.busName,
        argument: SignalMatch.Argument(0, name)
      )
    }
    for name in ["org.example.It's", "org.example.One", "org.example.Two"] {
      let id = bus.subscribe(match(name)) { if case .signal(let signal) = $0 { continuation.yield(signal) } }
      if name.hasSuffix("One") { bus.unsubscribe(id) }
    }
    for name in ["org.example.Other", "org.example.One", "org.example.Two"] {
      _ = await reply(to: Self.busCall("RequestName", [.string(name), .uint32(0)]), on: bus)
    }
    var signals = reports.makeAsyncIterator()
    #expect(await signals.next()?.values.first == .string("org.example.Two"))
    bus.close()
  }
}
