import ArgumentParser
import SceneClient

struct ActivitiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activities",
    abstract: "List the activities of open scenes that can be continued elsewhere.",
    discussion: "The activity of the scene that was active last comes first; see 'scenectl continue'."
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var table: TableOptions

  @Option(
    help: ArgumentHelp("List only activities of this application's scenes.", valueName: "id"),
    completion: .applications
  )
  var application: String?

  func run() async throws {
    let activities = try await router.connect(timeout: answer.timeout).activities(application: application)
    if router.json { return try activities.forEach { try Terminal.showJSON($0.json) } }
    var rows = Table("SCENE", "APPLICATION", "SINCE", "ACTIVITY", "TITLE", "CONTENT", isWhole: table.full)
    for current in activities {
      let activity = current.activity
      rows.append(
        current.scene.id,
        current.scene.applicationID,
        "\(current.since.localDate) \(current.since.timeOfDay)",
        activity.activityType,
        activity.title ?? current.scene.title,
        activity.targetContentIdentifier ?? activity.webpageURL
      )
    }
    try rows.show(orElse: "No scene shows an activity that can be continued elsewhere.")
  }
}
