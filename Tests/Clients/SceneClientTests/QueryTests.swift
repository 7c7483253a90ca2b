import Glibc
import SceneClient
import ScriptedService
import Testing

@Suite(.timeLimit(.minutes(20)))
struct QueryTests {
  @Test func listsComeInParts() async throws {
    try await withRouter { listener, _ in
      let scenes = try listener.accept()
      try scenes.expect("Router.ListScenes", #"{"applicationId":"a"}"#)
      try scenes.reply(#"{"scenes":[\#(Sample.scene)],"generation":3}"#, continues: true)
      try scenes.reply(#"{"scenes":[\#(Sample.scene),\#(Sample.scene)],"generation":3}"#)
      let applications = try listener.accept()
      try applications.expect("Router.ListApplications", "")
      try applications.reply(#"{"applications":[\#(Sample.application)],"generation":3}"#)
    } _: { router in
      let scenes = try await router.scenes(application: "a")
      #expect(scenes.count == 3)
      #expect(scenes[0].json == Sample.scene)
      #expect(scenes[0].id == "s1")
      #expect(scenes[0].opened == .milliseconds(1500))
      #expect(scenes[0].active == nil)
      #expect(scenes[0].registrations == [Registration(id: "r", preferring: ["p"], allowing: ["*"])])
      let applications = try await router.applications()
      #expect(applications.map(\.json) == [Sample.application])
      #expect(
        applications.first?.scenes == [
          .windowGroup("main", matching: []),
          .documentGroup("doc", supportedTypes: ["image/*"], isSingleton: true),
        ]
      )
      #expect(applications.first?.claims == Claims(schemes: ["x"]))
      #expect(applications.first?.source == .connection)
    }
  }

  @Test func activitiesAreListedAndTaken() async throws {
    let current = #"{"scene":\#(Sample.scene),"activity":{"activityType":"t"},"sinceUSec":2500000}"#
    try await withRouter { listener, ordinary in
      let activities = try listener.accept()
      try activities.expect("Router.ListActivities", #"{"applicationId":"a"}"#)
      try activities.reply(#"{"activities":[\#(current)]}"#, continues: true)
      try activities.reply(#"{"activities":[\#(current)]}"#)
      try ordinary.expect("Router.TakeActivity", #"{"sceneId":"s1","by":"laptop"}"#)
      try ordinary.reply(
        #"{"activity":{"activityType":"t","userInfo":{"a" : 1},"isEligibleForHandoff":true}}"#
      )
      try ordinary.expect("Router.TakeActivity", #"{"sceneId":"s2"}"#)
      try ordinary.fail("NoSuchActivity", #"{"sceneId":"s2"}"#)
    } _: { router in
      let activities = try await router.activities(application: "a")
      #expect(activities.map(\.json) == [current, current])
      #expect(activities[0].scene.id == "s1")
      #expect(activities[0].activity == Activity("t"))
      #expect(activities[0].since == .milliseconds(2500))
      let activity = try await router.takeActivity(of: "s1", by: "laptop")
      #expect((activity.userInfo?.json, activity.isEligibleForHandoff) == (#"{"a" : 1}"#, true))
      let error = await #expect(throws: RouterError.self) { _ = try await router.takeActivity(of: "s2") }
      #expect(error?.code == .noSuchActivity(scene: "s2"))
    }
  }

  @Test func monitorTellsEachChange() async throws {
    let replies = [
      #"{"snapshot":{"scenes":[\#(Sample.scene)],"applications":[],"generation":3,"isComplete":false}}"#,
      #"{"decision":{"event":{"url":"x:1"},"decision":\#(Sample.decision)}}"#,
      #"{"settlement":\#(Sample.declined)}"#,
      #"{"sceneChanged":\#(Sample.scene)}"#,
      #"{"sceneClosed":"s1"}"#,
      #"{"applicationChanged":\#(Sample.application)}"#,
      #"{"applicationGone":"a"}"#,
      #"{"dropped":5}"#,
      #"{"closed":"shutdown"}"#,
    ]
    try await withRouter { listener, _ in
      let monitor = try listener.accept()
      try monitor.expect("Router.Monitor", #"{"showRegistry":false}"#)
      try monitor.reply(#"{"somethingNew":1}"#, continues: true)
      for reply in replies { try monitor.reply(reply, continues: reply != replies.last) }
    } _: { router in
      var changes: [String] = []
      for try await change in try await router.monitor(showsRegistry: false) { changes.append(change.json) }
      #expect(changes == replies)
    }
  }

  @Test func programIsWhatAnswers() async throws {
    try await withRouter { listener, _ in
      let asked = try listener.accept()
      #expect(try asked.nextCall().method == "org.varlink.service.GetInfo")
      try asked.reply(
        #"{"vendor":"v","product":"p","version":"1.2.3","url":"u","interfaces":["org.varlink.service"]}"#
      )
    } _: { router in
      let program = try await router.program()
      #expect(program.name == "p")
      #expect(program.version == "1.2.3")
      #expect(program.processID == getpid())
      #expect(program.userID == geteuid())
    }
  }

  @Test func statisticsCountEvents() async throws {
    let json =
      #"{"generation":1,"startedUSec":2000000,"scenes":3,"applications":4,"connections":5,"#
      + #""pendingDeliveries":6,"events":{"acknowledged":7,"notRouted":8}}"#
    try await withRouter { _, ordinary in
      try ordinary.expect("Manager.GetStatistics", "")
      try ordinary.reply(json)
    } _: { router in
      let statistics = try await router.statistics()
      #expect(statistics.json == json)
      #expect(statistics.started == .seconds(2))
      #expect(statistics.events["notRouted"] == 8)
    }
  }

  @Test func reloadTellsWhatIsWrong() async throws {
    let json = #"{"loaded":2,"problems":[{"path":"/a","line":3,"message":"m"},{"path":"/b","message":"n"}]}"#
    try await withRouter { _, ordinary in
      try ordinary.expect("Manager.Reload", "")
      try ordinary.reply(json)
    } _: { router in
      let reload = try await router.reload()
      #expect(reload.json == json)
      #expect(reload.loaded == 2)
      #expect(reload.problems.map(\.path) == ["/a", "/b"])
      #expect(reload.problems.map(\.line) == [3, nil])
      #expect(reload.problems.map(\.message) == ["m", "n"])
    }
  }
}
