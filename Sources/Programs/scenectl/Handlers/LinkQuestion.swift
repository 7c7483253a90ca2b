import ArgumentParser
import DesktopEntries
import Installed
import SceneClient

import struct SceneRouting.HostClaim

/// Asks the user what opens a link: in the window of scened-desktop, else in a menu.
struct LinkQuestion {
  private let event: Event
  /// The menu program and its arguments; nil for the window, and for an installed menu where the window fails.
  private let menu: String?
  /// Whether the router opens the link elsewhere after a failure.
  private let isOffered: Bool

  /// The event for which the router started this process.
  private let origin = Host.variable("SCENED_EVENT")
  private let token = RouterOptions.none.activationToken

  init(_ event: Event, menu: String? = nil, isOffered: Bool = false) {
    (self.event, self.menu, self.isOffered) = (event, menu, isOffered)
  }

  func ask() async throws -> ExitCode {
    if isOffered, origin == nil { return try await send(to: nil) }
    let desktop = InstalledDesktop()
    var refusal: String?
    if menu == nil {
      do throws(BusRefusal) {
        return ExitCode(try await askInWindow())
      } catch {
        if desktop.places.hasService(UserBus.nameOfDesktop) {
          refusal = "The window of scened-desktop does not ask: \(error.reason).".printable
        }
      }
    }
    let key = try keyOfAnswer(desktop)
    let lines = ApplicationMenu.lines(for: key, on: desktop)
    guard !lines.isEmpty else {
      throw HandlerError("No installed application opens '\(event.summary)'.")
    }
    let answer: (id: String, isForAlways: Bool)
    do {
      let menu = try ApplicationMenu(lines, for: key, command: menu, in: desktop.places)
      if let refusal { Terminal.showError("\(refusal) A menu asks instead.") }
      answer = try await menu.answer(for: event.url ?? "", from: sender(desktop))
    } catch let error as HandlerError {
      // Without a menu the router finds the target, so that the link is not lost.
      return try await send(
        to: nil,
        insteadOfQuestion: refusal.map { "\($0) No menu asks either." } ?? error.description
      )
    } catch is NoAnswer where isOffered {
      // The user chose nothing. After a failure, the router would open the link in the next application.
      return .success
    }
    let status = try await send(to: answer.id)
    // The link does not wait until the router has read the choice.
    if answer.isForAlways { try await HandlerLists.save(answer.id, for: key) }
    return status
  }

  private func askInWindow() async throws(BusRefusal) -> Int32 {
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { Host.variable($0) != nil }) else {
      throw BusRefusal(reason: "there is no display")
    }
    return try await UserBus.ask(event.url ?? "", event: origin, token: token)
  }

  /// The application that sent the event, as the router knows it, else its program.
  private func sender(_ desktop: InstalledDesktop) async -> String? {
    await LinkSender(of: origin, on: desktop, try? RouterOptions.none.connect())?.name
  }

  /// The choice of `--ask` that covers the link, such as `*.example.org`, else the host of a web link, else the type of
  /// a file, else the scheme.
  private func keyOfAnswer(_ desktop: InstalledDesktop) throws -> ChoiceKey {
    guard let kind = event.url.flatMap(Self.scheme(of:)) ?? Handled(kindOf: event) else {
      throw HandlerError("'\(event.summary)' is no link.")
    }
    let byKind = ChoiceKey(handled: kind)
    let asking = try HandlerLists(desktop.places).choices.filter { $0.applications[0] == MadeEntry.askID }
    let keys = asking.compactMap { choice -> (claim: HostClaim, key: ChoiceKey)? in
      guard case .host(let host) = choice.key.handled else { return nil }
      return HostClaim(host).map { ($0, choice.key) }
    }
    if let closest = HostClaim.closest(to: event.url ?? "", among: keys.map(\.claim)) {
      return keys.first { $0.claim == closest }?.key ?? byKind
    }
    if case .host(let host)? = Handled(event), !asking.contains(where: { $0.key == byKind }) {
      return ChoiceKey(handled: .host(host))
    }
    return byKind
  }

  /// Only of a web link.
  private static func scheme(of url: String) -> Handled? {
    url.urlScheme.flatMap { ["http", "https"].contains($0) ? .type(DesktopEntry.type(ofScheme: $0)) : nil }
  }

  /// If `id` is nil, the router finds the target.
  private func send(to id: String?, insteadOfQuestion: String? = nil) async throws -> ExitCode {
    var report = OutcomeReport(printsJSON: false, router: .none, notifications: .withoutTerminal)
    report.insteadOfQuestion = insteadOfQuestion
    let connection: RouterConnection
    do throws(ConnectionError) {
      connection = try await RouterOptions.none.connect()
    } catch {
      await report.show(event.url ?? "", error.sentence)
      return CommandStatus.error.exitCode
    }
    var routing = RoutingOptions.none
    routing.scopeOptions.application = id?.asApplicationID
    return try await routing.send(event, from: origin, token: token, over: connection, report).exitCode
  }
}

/// The applications for a kind of links, in a menu.
struct ApplicationMenu {
  typealias Line = (id: String, text: String)

  private let menu: ChoiceMenu
  private let key: ChoiceKey
  private let lines: [Line]

  static func lines(for key: ChoiceKey, on desktop: InstalledDesktop) -> [Line] {
    desktop.applications(for: key.handled).map(\.entry).filter { $0.id != MadeEntry.askID }.map { entry in
      (entry.id, "\(entry.name) (\(entry.id.asApplicationID))".printable)
    }
  }

  /// - Throws: an error if `command` is nil and no menu program is installed.
  init(_ lines: [Line], for key: ChoiceKey, command: String?, in places: DesktopPlaces) throws {
    (self.lines, self.key) = (lines, key)
    if let command {
      menu = ChoiceMenu(command: command)
    } else if let installed = ChoiceMenu(in: places, onAnyDisplay: false) {
      menu = installed
    } else {
      throw HandlerError(ChoiceMenu.absence)
    }
  }

  /// A last line leads to a second menu, whose answer counts always.
  func answer(for link: String, from sender: String?) async throws -> (id: String, isForAlways: Bool) {
    let forAlways = "Always for \(key) …"
    let heading = ChoiceMenu.Heading(subject: link, sender: sender)
    let answer = try await menu.answer(to: lines.map(\.text) + [forAlways], under: heading)
    if answer == forAlways { return (try await answerForAlways(), true) }
    return (try id(of: answer), false)
  }

  func answerForAlways() async throws -> String {
    try id(
      of: await menu.answer(to: lines.map(\.text), under: ChoiceMenu.Heading(subject: "Always for \(key)"))
    )
  }

  private func id(of answer: String?) throws -> String {
    guard let chosen = lines.first(where: { $0.text == answer }) else { throw NoAnswer() }
    return chosen.id
  }
}

private struct NoAnswer: Error, CustomStringConvertible {
  let description = "No application was chosen."
}
