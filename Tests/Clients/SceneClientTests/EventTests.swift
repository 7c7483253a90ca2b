import SceneClient
import Testing

struct EventTests {
  @Test(arguments: [
    (Event(url: "https://example.org/ä"), #"{"url":"https://example.org/ä"}"#),
    (
      Event(url: "file:///a", contentType: "image/png"),
      #"{"url":"file:///a","contentType":"image/png"}"#
    ),
    (
      Event(url: "file:///a", line: 10, column: 3),
      #"{"url":"file:///a","line":10,"column":3}"#
    ),
    (
      Event(activity: Activity("org.example.view")),
      #"{"activity":{"activityType":"org.example.view"}}"#
    ),
    (
      Event(
        activity: Activity(
          "org.example.view",
          targetContentIdentifier: "",
          webpageURL: "https://example.org",
          title: "T",
          userInfo: try! UserInfo(json: #" {"n": 1.0e2 } "#),
          isEligibleForHandoff: true
        )
      ),
      #"{"activity":{"activityType":"org.example.view","targetContentIdentifier":"","webpageURL":"https://example.org","#
        + #""title":"T","userInfo":{"n": 1.0e2 },"isEligibleForHandoff":true}}"#
    ),
  ])
  func eventIsWrittenAsTheInterfaceDescribesIt(event: Event, json: String) {
    #expect(event.json == json)
  }

  @Test func contentIsEitherAURLOrAnActivity() {
    #expect(Event(url: "a:b").url == "a:b")
    #expect(Event(url: "a:b").activity == nil)
    #expect(Event(activity: Activity("t")).activity?.activityType == "t")
    #expect(Event(activity: Activity("t")).url == nil)
  }
}

struct UserInfoTests {
  @Test(arguments: ["{}", #"{"a":[true,null,1.50]}"#, #"{"é":"é"}"#])
  func objectIsKeptAsItIs(json: String) throws {
    #expect(try UserInfo(json: json).json == json)
  }

  @Test(arguments: [
    ("", "The user info is not valid. The JSON is invalid at byte 0: there is no value."),
    (#"{"a":1"#, "The user info is not valid. The JSON is invalid at byte 6: it ends inside a value."),
    (
      #"{"a":1,"a":2}"#,
      "The user info is not valid. The JSON is invalid at byte 7: an object has two members of this name."
    ),
    ("[]", "The user info is not a JSON object."),
    ("1", "The user info is not a JSON object."),
  ])
  func anythingElseIsAnError(json: String, description: String) {
    let error = #expect(throws: RouterError.self) { try UserInfo(json: json) }
    #expect(error?.code == .invalidUserInfo)
    #expect(error?.description == description)
  }

  @Test func depthIsWhatTheRouterTakesInACall() throws {
    let object = { (depth: Int) in
      String(repeating: #"{"a":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
    }
    #expect(throws: Never.self) { try UserInfo(json: object(60)) }
    #expect(throws: RouterError.self) { try UserInfo(json: object(61)) }
  }
}
