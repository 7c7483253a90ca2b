import RouterInterface
import Testing

@Suite struct ParameterTests {
  /// Calls with parameters that are refused, and the path that the refusal names.
  private static let table: [(method: String, parameters: String, path: String)] = [
    ("SendEvent", #"{}"#, "event"),
    ("SendEvent", #"{"event":null}"#, "event"),
    ("SendEvent", #"{"event":"test:one"}"#, "event"),
    ("SendEvent", #"{"event":[]}"#, "event"),
    ("SendEvent", #"{"event":{}}"#, "event"),
    ("SendEvent", #"{"event":{"url":null,"activity":null}}"#, "event"),
    ("SendEvent", #"{"event":{"url":"test:one","activity":{"activityType":"t"}}}"#, "event"),
    ("SendEvent", #"{"event":{"url":1}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":""}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"relative"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"//host/path"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"1a:b"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":":b"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"test:a b"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"test:a\nb"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"test:\u007f"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"test:\u0000"}}"#, "event.url"),
    ("SendEvent", #"{"event":{"url":"file:///a","resolvedUrl":1}}"#, "event.resolvedUrl"),
    ("SendEvent", #"{"event":{"url":"file:///a","resolvedUrl":""}}"#, "event.resolvedUrl"),
    ("SendEvent", #"{"event":{"url":"file:///a","resolvedUrl":"/b"}}"#, "event.resolvedUrl"),
    ("SendEvent", #"{"event":{"url":"file:///a","resolvedUrl":"file:///b c"}}"#, "event.resolvedUrl"),
    ("SendEvent", #"{"event":{"url":"file:///a","resolvedUrl":"https://b/"}}"#, "event.resolvedUrl"),
    ("SendEvent", #"{"event":{"url":"https://a/","resolvedUrl":"file:///b"}}"#, "event.resolvedUrl"),
    ("SendEvent", #"{"event":{"resolvedUrl":"file:///b"}}"#, "event"),
    (
      "SendEvent", #"{"event":{"activity":{"activityType":"t"},"resolvedUrl":"file:///b"}}"#,
      "event.resolvedUrl"
    ),
    ("ExplainEvent", #"{"event":{"url":"x:","resolvedUrl":"file:///b"}}"#, "event.resolvedUrl"),
    ("SendEvent", #"{"event":{"activity":{}}}"#, "event.activity.activityType"),
    ("SendEvent", #"{"event":{"activity":{"activityType":""}}}"#, "event.activity.activityType"),
    (
      "SendEvent", #"{"event":{"activity":{"activityType":"t","webpageURL":""}}}"#,
      "event.activity.webpageURL"
    ),
    (
      "SendEvent", #"{"event":{"activity":{"activityType":"t","webpageURL":"x"}}}"#,
      "event.activity.webpageURL"
    ),
    ("SendEvent", #"{"event":{"activity":{"activityType":"t","userInfo":[]}}}"#, "event.activity.userInfo"),
    ("SendEvent", #"{"event":{"activity":{"activityType":"t","userInfo":"{}"}}}"#, "event.activity.userInfo"),
    (
      "SendEvent", #"{"event":{"activity":{"activityType":"t","isEligibleForHandoff":1}}}"#,
      "event.activity.isEligibleForHandoff"
    ),
    ("SendEvent", #"{"event":{"activity":{"activityType":"t","kind":1}}}"#, "event.activity.kind"),
    ("SendEvent", #"{"event":{"url":"test:one","uri":1}}"#, "event.uri"),
    ("SendEvent", #"{"event":{"url":"test:one"},"now":true}"#, "now"),
    ("SendEvent", #"{"event":{"url":"test:one"},"waitFor":"ever"}"#, "waitFor"),
    ("SendEvent", #"{"event":{"url":"test:one"},"waitFor":true}"#, "waitFor"),
    ("SendEvent", #"{"event":{"url":"test:one"},"allowNewScene":"no"}"#, "allowNewScene"),
    ("SendEvent", #"{"event":{"url":"test:one"},"timeoutUSec":1.0}"#, "timeoutUSec"),
    ("SendEvent", #"{"event":{"url":"test:one"},"timeoutUSec":1e3}"#, "timeoutUSec"),
    ("SendEvent", #"{"event":{"url":"test:one"},"timeoutUSec":"1"}"#, "timeoutUSec"),
    ("SendEvent", #"{"event":{"url":"test:one"},"timeoutUSec":9223372036854775808}"#, "timeoutUSec"),
    ("SendEvent", #"{"event":{"url":"test:one"},"eventId":7}"#, "eventId"),
    ("AwaitEvent", #"{}"#, "eventId"),
    ("ExplainEvent", #"{"event":{"url":"relative"}}"#, "event.url"),
    ("ExplainEvent", #"{"event":{"url":"test:one"},"maxTraceSteps":-1}"#, "maxTraceSteps"),
    ("ExplainEvent", #"{"event":{"url":"test:one"},"maxTraceSteps":1025}"#, "maxTraceSteps"),
    ("ExplainEvent", #"{"event":{"url":"test:one"},"eventId":"id"}"#, "eventId"),
    ("OpenScene", #"{}"#, "context"),
    ("OpenScene", #"{"context":{}}"#, "context.applicationId"),
    ("OpenScene", #"{"context":{"applicationId":""}}"#, "context.applicationId"),
    ("OpenScene", #"{"context":{"applicationId":"a"},"maxPendingDeliveries":0}"#, "maxPendingDeliveries"),
    ("OpenScene", #"{"context":{"applicationId":"a"},"maxPendingDeliveries":-5}"#, "maxPendingDeliveries"),
    ("OpenScene", #"{"context":{"applicationId":"a"},"maxPendingDeliveries":1025}"#, "maxPendingDeliveries"),
    ("OpenScene", #"{"context":{"applicationId":"a","registrations":{}}}"#, "context.registrations"),
    ("OpenScene", #"{"context":{"applicationId":"a","registrations":[null]}}"#, "context.registrations[0]"),
    (
      "OpenScene",
      #"{"context":{"applicationId":"a","registrations":[{"registrationId":"r","allowing":[]}]}}"#,
      "context.registrations[0].preferring"
    ),
    (
      "OpenScene",
      #"{"context":{"applicationId":"a","registrations":[{"registrationId":"r","preferring":[],"allowing":[]},{"registrationId":"s","preferring":["a",1],"allowing":[]}]}}"#,
      "context.registrations[1].preferring[1]"
    ),
    (
      "OpenScene",
      #"{"context":{"applicationId":"a","registrations":[{"registrationId":"r","preferring":[],"allowing":[]},{"registrationId":"r","preferring":[],"allowing":[]}]}}"#,
      "context.registrations[1].registrationId"
    ),
    ("OpenScene", #"{"context":{"applicationId":"a"},"title":"t"}"#, "title"),
    ("SetRegistration", #"{"sceneHandle":""}"#, "registration"),
    (
      "SetRegistration",
      #"{"sceneHandle":"","registration":{"registrationId":"r","preferring":[],"allowing":[null]}}"#,
      "registration.allowing[0]"
    ),
    ("RemoveRegistration", #"{"sceneHandle":""}"#, "registrationId"),
    ("UpdateScene", #"{}"#, "sceneHandle"),
    ("UpdateScene", #"{"sceneHandle":"","isActive":1}"#, "isActive"),
    ("SetActivity", #"{}"#, "sceneHandle"),
    ("SetActivity", #"{"sceneHandle":"","activity":"t"}"#, "activity"),
    ("SetActivity", #"{"sceneHandle":"","activity":{}}"#, "activity.activityType"),
    ("SetActivity", #"{"sceneHandle":"","activity":{"activityType":"t","userInfo":1}}"#, "activity.userInfo"),
    ("SetActivity", #"{"sceneHandle":"","activity":{"activityType":"t","kind":1}}"#, "activity.kind"),
    ("CloseScene", #"{"sceneHandle":{}}"#, "sceneHandle"),
    ("AcknowledgeDelivery", #"{"sceneHandle":""}"#, "deliveryId"),
    ("AcknowledgeDelivery", #"{"sceneHandle":"","deliveryId":"","reason":""}"#, "reason"),
    ("DeclineDelivery", #"{"deliveryId":""}"#, "sceneHandle"),
    ("DeclareApplication", #"{"applicationId":"a"}"#, "scenes"),
    ("DeclareApplication", #"{"applicationId":"","scenes":[]}"#, "applicationId"),
    ("DeclareApplication", #"{"applicationId":"a","scenes":[{}]}"#, "scenes[0].declarationId"),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[{"declarationId":""}]}"#,
      "scenes[0].declarationId"
    ),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[{"declarationId":"d"},{"declarationId":"d"}]}"#,
      "scenes[1].declarationId"
    ),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[{"declarationId":"d","kind":"x"}]}"#,
      "scenes[0].kind"
    ),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[{"declarationId":"d","matching":"*"}]}"#,
      "scenes[0].matching"
    ),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[],"claims":{"schemes":[1]}}"#,
      "claims.schemes[0]"
    ),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[],"claims":{"hosts":["a.test",null]}}"#,
      "claims.hosts[1]"
    ),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[],"claims":{"hosts":["a.test","a.test:80"]}}"#,
      "claims.hosts[1]"
    ),
    (
      "DeclareApplication", #"{"applicationId":"a","scenes":[],"claims":{"extensions":[]}}"#,
      "claims.extensions"
    ),
    ("DeclineOpenRequest", #"{"applicationHandle":""}"#, "openRequestId"),
    ("ListScenes", #"{"applicationId":1}"#, "applicationId"),
    ("ListApplications", #"{"sceneId":"x"}"#, "sceneId"),
    ("ListActivities", #"{"sceneId":"x"}"#, "sceneId"),
    ("ListActivities", #"{"applicationId":[]}"#, "applicationId"),
    ("TakeActivity", #"{}"#, "sceneId"),
    ("TakeActivity", #"{"sceneId":"s","by":1}"#, "by"),
    ("TakeActivity", #"{"sceneId":"s","from":""}"#, "from"),
    ("Monitor", #"{"showDecisions":"yes"}"#, "showDecisions"),
  ]

  private static func needsMore(_ method: String) -> Bool {
    ["OpenScene", "DeclareApplication", "Monitor"].contains(method)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func refusalNamesTheParameter(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    for (method, parameters, path) in Self.table {
      let flag = Self.needsMore(method) ? #","more":true"# : ""
      let call = #"{"method":"io.scened.Router.\#(method)","parameters":\#(parameters)\#(flag)}"#
      #expect(try client.failure(of: call) == .invalidParameter(path), "\(method) \(parameters)")
    }
    for (method, parameters, path) in [
      ("org.varlink.service.GetInfo", #"{"a":1}"#, "a"),
      ("org.varlink.service.GetInterfaceDescription", #"{}"#, "interface"),
      ("io.scened.Manager.GetStatistics", #"{"a":1}"#, "a"),
    ] {
      let call = #"{"method":"\#(method)","parameters":\#(parameters)}"#
      #expect(try client.failure(of: call) == .invalidParameter(path), "\(method)")
    }
    // No refused call has changed anything.
    #expect(try client.call(Wire.GetStatisticsCall()).generation == 0)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func unknownMethodIsNamed(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    let table: [(method: String, error: Wire.RouterErrorReply)] = [
      ("io.scened.Router.Nothing", .methodNotFound("io.scened.Router.Nothing")),
      ("io.scened.Router.sendEvent", .methodNotFound("io.scened.Router.sendEvent")),
      ("org.varlink.service.Nothing", .methodNotFound("org.varlink.service.Nothing")),
      ("io.scened.Manager.Nothing", .methodNotFound("io.scened.Manager.Nothing")),
      ("org.example.Nothing", .interfaceNotFound("org.example")),
      ("io.scened.router.SendEvent", .interfaceNotFound("io.scened.router")),
      ("SendEvent", .methodNotFound("SendEvent")),
      ("", .methodNotFound("")),
    ]
    for (method, error) in table {
      #expect(try client.failure(of: #"{"method":"\#(method)"}"#) == error)
    }
    let call = #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#
    #expect(try client.failure(of: call) == .interfaceNotFound("a.b"))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func unknownHandleIsRefused(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let view = Registration(id: "view", preferring: [], allowing: [])
    for handle in ["", "nonsense", scene.id, scene.handle + "0", scene.handle.uppercased() + "x"] {
      let failures = [
        try router.failure(of: Wire.SetRegistrationCall(sceneHandle: handle, registration: view)),
        try router.failure(of: Wire.RemoveRegistrationCall(sceneHandle: handle, registrationID: "view")),
        try router.failure(of: Wire.UpdateSceneCall(sceneHandle: handle, title: "New")),
        try router.failure(of: Wire.SetActivityCall(sceneHandle: handle)),
        try router.failure(of: Wire.CloseSceneCall(sceneHandle: handle)),
        try router.failure(of: Wire.AcknowledgeDeliveryCall(sceneHandle: handle, deliveryID: "x")),
        try router.failure(of: Wire.DeclineDeliveryCall(sceneHandle: handle, deliveryID: "x")),
      ]
      for failure in failures { #expect(failure == .noSuchScene(nil), "\(handle)") }
      let decline = Wire.DeclineOpenRequestCall(applicationHandle: handle, openRequestID: "x")
      #expect(try router.failure(of: decline) == .noSuchApplication(nil))
    }
    let unknown = Wire.RemoveRegistrationCall(sceneHandle: scene.handle, registrationID: "other")
    let error = Wire.RouterErrorReply.noSuchRegistration("other")
    #expect(try router.failure(of: unknown) == error)
    #expect(try router.statistics().generation == scene.opened.generation)
  }
}
