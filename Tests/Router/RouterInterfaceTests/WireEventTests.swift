import RouterInterface
import Testing
import Varlink

struct WireEventTests {
  static let received = [
    #"{ "url" : "x:\u0041\/b" , "contentType" : null }"#,
    #"{"contentType":"image/png","url":"x:é"}"#,
    "{\"activity\":\n{\"userInfo\":{\"b\":1.0,\"a\":1e400,\"\":[null]},\"activityType\":\"com.example.t\"}}",
    #"{"activity":{"activityType":"t","isEligibleForHandoff":null},"url":null}"#,
  ]

  @Test(arguments: received)
  func eventsLeaveAsTheyCame(_ json: String) throws {
    let call: Wire.SendEventCall = try decode(#"{"event":\#(json),"eventId":"1"}"#)
    #expect(String(decoding: call.event.encoded, as: UTF8.self) == json)
    let delivery = Wire.EventDelivered(
      deliveryID: "d1",
      decisionID: "e1",
      event: call.event,
      registrationIDs: [],
      eventID: call.eventID,
      timeoutUSec: 5
    )
    let written = encode(delivery)
    #expect(
      written
        == #"{"deliveryId":"d1","decisionId":"e1","event":\#(json),"registrationIds":[],"eventId":"1","timeoutUSec":5}"#
    )
    #expect(try decode(written, .ignored) == delivery)
  }

  @Test func fieldsOfAReceivedEventAreRead() throws {
    let url: Event = try decode(Self.received[0])
    #expect(url.url == "x:A/b")
    #expect(url.contentType == nil)
    let activity = try #require(try decode(Self.received[2], as: Event.self).activity)
    #expect(activity.activityType == "com.example.t")
    #expect(
      activity.userInfo.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"b":1.0,"a":1e400,"":[null]}"#
    )
  }

  @Test func eventsThatWereNotReceivedAreWrittenFieldByField() {
    let event = Event(.url("x:\u{7}"), contentType: "text/plain")
    #expect(encode(event) == #"{"url":"x:\u0007","contentType":"text/plain"}"#)
    let activity = Activity(activityType: "t", userInfo: UserInfo(bytes: Array("{ }".utf8)))
    #expect(encode(Event(.activity(activity))) == #"{"activity":{"activityType":"t","userInfo":{ }}}"#)
  }

  @Test func monitorsSeeNoUserInfo() throws {
    let activity: Event = try decode(
      #"{"activity":{"title":"T","userInfo":{"secret":1},"activityType":"t"},"contentType":"c"}"#
    )
    #expect(
      encode(activity.withoutPrivateParts)
        == #"{"activity":{"activityType":"t","title":"T"},"contentType":"c"}"#
    )
    let url: Event = try decode(#"{ "url":"x:y", "contentType":"c" }"#)
    #expect(encode(url.withoutPrivateParts) == #"{"url":"x:y","contentType":"c"}"#)
  }
}
