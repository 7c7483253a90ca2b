import ArgumentParser
import SceneClient

struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send a user activity to the scene that wants it."
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var activity: ActivityOptions
  @OptionGroup var routing: RoutingOptions

  func validate() throws {
    if activity.activityType == nil { throw ValidationError("--activity-type is missing.") }
  }

  func run() async throws {
    guard let event = try activity.event() else { return }
    let report = OutcomeReport(printsJSON: router.json, router: router, notifications: .none)
    throw try await routing.send(event, over: router.connectToSend(), report).exitCode
  }
}

struct ActivityOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The kind of activity, in reverse-DNS form.", valueName: "type"))
  var activityType: String?

  @Option(
    help: ArgumentHelp(
      "The content of the activity; the router looks for identifiers in this text.",
      valueName: "text"
    )
  )
  var targetContentIdentifier: String?

  @Option(help: ArgumentHelp("The URL of a web page with the same content.", valueName: "url"))
  var webpageURL: String?

  @Option(help: ArgumentHelp("The title, for people.", valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp("A JSON object that the scene gets unchanged.", valueName: "json"))
  var userInfo: String?

  func validate() throws {
    if activityType == nil, (targetContentIdentifier ?? webpageURL ?? userInfo) != nil {
      throw ValidationError("--activity-type is missing.")
    }
  }

  /// Nil without an activity type.
  func activity(isEligibleForHandoff: Bool = false) throws -> Activity? {
    guard let activityType else { return nil }
    return Activity(
      activityType,
      targetContentIdentifier: targetContentIdentifier,
      webpageURL: webpageURL,
      title: title,
      userInfo: try userInfo.map { try UserInfo(json: $0) },
      isEligibleForHandoff: isEligibleForHandoff
    )
  }

  func event() throws -> Event? { try activity().map { Event(activity: $0) } }
}
