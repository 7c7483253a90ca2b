package import SceneRouting
import VarlinkServer

package protocol ApplicationLauncher: Sendable {
  /// Returns at once, and calls `ended` once, on any thread; without a `failure`, the program was executed and has not
  /// failed right away.
  func launch(_ launch: ApplicationLaunch, ended: @escaping @Sendable (_ failure: StartFailure?) -> Void)
}

package struct ApplicationLaunch: Hashable, Sendable {
  package let applicationID: String
  /// Chosen for the first event.
  package let declarationID: String
  /// The program answers it by opening a scene; `nil` if the program does not connect to the router.
  package let openRequestID: String?
  /// The first event for which the application is started.
  package let eventID: String
  package struct Target: Hashable, Sendable {
    package let url: String
    /// Line and column count from 1.
    package let line: Int?
    package let column: Int?
  }

  /// Empty if the program asks the router for its events, or if no event has a URL.
  package let targets: [Target]
  package let activationToken: String?
  /// Since the router received the token; 0 without a token.
  package let tokenAgeUSec: UInt64
  /// What is left for the program to take the first event.
  package let timeoutUSec: UInt64
}

extension ApplicationLaunch {
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
  func start(_ application: String) {
    guard let start = router.takeStart(of: application, now: MonotonicClock.now) else { return }
    // Noted before the start, so that the next service knows of it even if this process is killed right afterwards.
    writeOpenCount()
    guard let launcher, let launch = ApplicationLaunch(start, ids) else {
      return startEnded(start, failure: StartFailure(reason: "This router starts no programs."))
    }
    launcher(launch, start)
  }

  func startEnded(_ start: ApplicationStart, failure: StartFailure?) {
    apply(router.startEnded(start, failure: failure, now: MonotonicClock.now))
  }
}
