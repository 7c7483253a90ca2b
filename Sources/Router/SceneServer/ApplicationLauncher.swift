package import SceneRouting
import VarlinkServer

/// Starts programs for a server.
package protocol ApplicationLauncher: Sendable {
  /// Starts an application, and returns without waiting for its program.
  ///
  /// Calls `ended` once, on any thread. If the program has been executed and has not failed right away, `failure` is
  /// nil. Otherwise `failure` is the reason.
  func launch(_ launch: ApplicationLaunch, ended: @escaping @Sendable (_ failure: StartFailure?) -> Void)
}

/// The application to start, and the events for which it is started.
package struct ApplicationLaunch: Hashable, Sendable {
  /// The application.
  package let applicationID: String
  /// The id of the declaration that was chosen for the first event.
  package let declarationID: String
  /// The request that the program answers by opening a scene; `nil` if the program does not connect to the router.
  package let openRequestID: String?
  /// The id of the first event for which the application is started.
  package let eventID: String
  /// A URL that the program opens, and the position in the URL's document.
  package struct Target: Hashable, Sendable {
    /// The URL.
    package let url: String
    /// The line, from 1.
    package let line: Int?
    /// The column in the line, from 1.
    package let column: Int?
  }

  /// The URLs that the program opens.
  ///
  /// The list is empty in two cases:
  /// - The program asks the router for its events.
  /// - No event has a URL.
  package let targets: [Target]
  /// The activation token for the program's window.
  package let activationToken: String?
  /// How long ago the router received the activation token, in microseconds; 0 without a token.
  package let tokenAgeUSec: UInt64
  /// The time that is left for the program to take the first event, in microseconds.
  package let timeoutUSec: UInt64
}

extension ApplicationLaunch {
  /// Returns `nil` if the start has no request.
  init?(_ start: ApplicationStart, _ ids: PublicIDs) {
    guard let first = start.requests.first else { return nil }
    applicationID = start.applicationID
    declarationID = first.declarationID
    openRequestID = start.isAware ? ids.text(first.id) : nil
    eventID = ids.text(first.decisionID)
    targets = start.isAware ? [] : start.requests.compactMap { Target($0.event) }
    let withToken = start.requests.first { $0.activationToken != nil }
    activationToken = withToken?.activationToken
    tokenAgeUSec = withToken?.ageUSec ?? 0
    timeoutUSec = first.timeoutUSec
  }
}

extension ApplicationLaunch.Target {
  /// Makes a target with the URL or the web page of an event; nil if the event has no URL and no web page.
  fileprivate init?(_ event: Event) {
    let url: String? =
      switch event.content {
      case .url(let url): url
      case .activity(let activity): activity.webpageURL
      }
    guard let url else { return nil }
    (self.url, line, column) = (url, event.line, event.column)
  }
}

extension RouterService {
  /// Starts an application for the requests that ``Router/takeStart(of:now:)`` chooses.
  func start(_ application: String) {
    guard let start = router.takeStart(of: application, now: MonotonicClock.now) else { return }
    // The `RestartPage` is written before the start. The next service then knows of the start, even if this process is
    // killed right afterwards.
    noteOpen()
    guard let launcher, let launch = ApplicationLaunch(start, ids) else {
      return startEnded(start, failure: StartFailure(reason: "This router starts no programs."))
    }
    launcher(launch, start)
  }

  /// Reports the end of a start to the router, and carries out the effects.
  func startEnded(_ start: ApplicationStart, failure: StartFailure?) {
    carryOut(router.startEnded(start, failure: failure, now: MonotonicClock.now))
  }
}
