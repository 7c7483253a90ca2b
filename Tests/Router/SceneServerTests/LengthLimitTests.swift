import RouterInterface
import SceneRouting
import Testing
import Varlink

@Suite struct LengthLimitTests {
  private static let maxima = [
    "urlLength": 32 << 10, "identifierLength": 4 << 10, "userInfoSize": 64 << 10, "stringLength": 1 << 10,
  ]

  /// The parameters that can be too long.
  ///
  /// The test replaces the `@` with a long text. The longest allowed text is `shorter` bytes shorter than the limit,
  /// because that many bytes beside the text count too.
  private static let table: [(limit: String, method: String, parameters: String, shorter: Int)] = [
    ("urlLength", "SendEvent", #"{"event":{"url":"t:@"}}"#, 2),
    ("urlLength", "SendEvent", #"{"event":{"url":"file:","resolvedUrl":"file:@"}}"#, 5),
    ("urlLength", "ExplainEvent", #"{"event":{"url":"t:@"}}"#, 2),
    ("urlLength", "SendEvent", #"{"event":{"activity":{"activityType":"t","webpageURL":"t:@"}}}"#, 2),
    (
      "identifierLength", "SendEvent",
      #"{"event":{"activity":{"activityType":"t","targetContentIdentifier":"@"}}}"#,
      0
    ),
    ("userInfoSize", "SendEvent", #"{"event":{"activity":{"activityType":"t","userInfo":{"":"@"}}}}"#, 7),
    ("stringLength", "SendEvent", #"{"event":{"activity":{"activityType":"@"}}}"#, 0),
    ("stringLength", "SendEvent", #"{"event":{"activity":{"activityType":"t","title":"@"}}}"#, 0),
    ("stringLength", "SendEvent", #"{"event":{"url":"t:","contentType":"@"}}"#, 0),
    ("stringLength", "SendEvent", #"{"event":{"url":"t:"},"eventId":"@"}"#, 0),
    ("stringLength", "SendEvent", #"{"event":{"url":"t:"},"applicationId":"@"}"#, 0),
    ("stringLength", "SendEvent", #"{"event":{"url":"t:"},"activationToken":"@"}"#, 0),
    ("stringLength", "SendEvent", #"{"event":{"url":"t:"},"sceneId":"@"}"#, 0),
    ("stringLength", "SendEvent", #"{"event":{"url":"t:"},"originSceneId":"@"}"#, 0),
    ("stringLength", "ExplainEvent", #"{"event":{"url":"t:"},"originSceneId":"@"}"#, 0),
    ("stringLength", "OpenScene", #"{"context":{"applicationId":"@"}}"#, 0),
    ("stringLength", "OpenScene", #"{"context":{"applicationId":"a","title":"@"}}"#, 0),
    ("stringLength", "OpenScene", #"{"context":{"applicationId":"a","declarationId":"@"}}"#, 0),
    (
      "stringLength", "OpenScene",
      #"{"context":{"applicationId":"a","registrations":[{"registrationId":"@","preferring":[],"allowing":[]}]}}"#,
      0
    ),
    (
      "identifierLength", "OpenScene",
      #"{"context":{"applicationId":"a","registrations":[{"registrationId":"r","preferring":["@"],"allowing":[]}]}}"#,
      0
    ),
    (
      "identifierLength", "OpenScene",
      #"{"context":{"applicationId":"a","registrations":[{"registrationId":"r","preferring":[],"allowing":["","@"]}]}}"#,
      0
    ),
    ("stringLength", "DeclareApplication", #"{"applicationId":"@","scenes":[]}"#, 0),
    ("stringLength", "DeclareApplication", #"{"applicationId":"a","scenes":[{"declarationId":"@"}]}"#, 0),
    (
      "stringLength", "DeclareApplication",
      #"{"applicationId":"a","scenes":[{"declarationId":"d","title":"@"}]}"#,
      0
    ),
    (
      "stringLength", "DeclareApplication",
      #"{"applicationId":"a","scenes":[{"declarationId":"d","supportedTypes":["@"]}]}"#,
      0
    ),
    (
      "identifierLength", "DeclareApplication",
      #"{"applicationId":"a","scenes":[{"declarationId":"d","matching":["@"]}]}"#,
      0
    ),
    (
      "stringLength", "DeclareApplication",
      #"{"applicationId":"a","scenes":[],"claims":{"schemes":["@"]}}"#,
      0
    ),
    (
      "stringLength", "DeclareApplication",
      #"{"applicationId":"a","scenes":[],"claims":{"activityTypes":["@"]}}"#,
      0
    ),
    (
      "stringLength", "DeclareApplication",
      #"{"applicationId":"a","scenes":[],"claims":{"mimeTypes":["@"]}}"#,
      0
    ),
    (
      "stringLength", "DeclareApplication",
      #"{"applicationId":"a","scenes":[],"claims":{"hosts":["@"]}}"#,
      0
    ),
  ]

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func textMayBeAsLongAsTheLimit(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    for (limit, method, parameters, shorter) in Self.table {
      let maximum = Self.maxima[limit] ?? 0
      let needsMore = ["OpenScene", "DeclareApplication"].contains(method)
      func reply(_ length: Int) throws -> String {
        let text = String(repeating: "x", count: length - shorter)
        let client = try router.connect()
        try client.send(
          #"""
          {"method":"io.scened.Router.\#(method)","parameters":\#(parameters.replacing("@", with: text)),
          "more":\#(needsMore)}
          """#
        )
        let reply = try client.text()
        // A scene that the call has opened must not take the events of the next calls.
        try client.leave()
        return reply
      }
      let error =
        #"{"error":"io.scened.Router.LimitExceeded","parameters":{"limit":"\#(limit)","maximum":\#(maximum)}}"#
      #expect(try !reply(maximum).contains("LimitExceeded"), "\(limit) of \(method)")
      #expect(try reply(maximum + 1) == error, "\(limit) of \(method) \(parameters)")
    }
  }

  @Test func stringsOfLaterCallsAreLimitedToo() throws {
    let router = try RouterUnderTest { $0.stringLength = 10 }
    let scene = try router.open()
    let application = try router.declare()
    let expected = Wire.RouterErrorReply.limitExceeded(limit: "stringLength", maximum: 10)
    let long = String(repeating: "x", count: 11)
    let registration = Registration(id: long, preferring: [], allowing: [])
    let set = Wire.SetRegistrationCall(sceneHandle: scene.handle, registration: registration)
    #expect(try router.failure(of: set) == expected)
    #expect(try router.failure(of: Wire.UpdateSceneCall(sceneHandle: scene.handle, title: long)) == expected)
    let activity = Wire.SetActivityCall(sceneHandle: scene.handle, activity: Activity(activityType: long))
    #expect(try router.failure(of: activity) == expected)
    #expect(try router.failure(of: Wire.TakeActivityCall(sceneID: long)) == expected)
    #expect(try router.failure(of: Wire.TakeActivityCall(sceneID: scene.id, by: long)) == expected)
    _ = try router.send("test:one")
    let delivery = try scene.delivery().deliveryID
    let decline = Wire.DeclineDeliveryCall(sceneHandle: scene.handle, deliveryID: delivery, reason: long)
    #expect(try router.failure(of: decline) == expected)
    try scene.close()
    let request = try application.request().openRequestID
    let refuse = Wire.DeclineOpenRequestCall(
      applicationHandle: application.handle,
      openRequestID: request,
      reason: long
    )
    #expect(try router.failure(of: refuse) == expected)
  }
}
