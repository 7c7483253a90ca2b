import RouterInterface
import Testing
import Varlink

/// Errors that name the path of a wrong parameter.
struct ParameterPathTests {
  /// A call that is refused.
  struct Case: Sendable, CustomTestStringConvertible {
    let error: ParameterError
    let testDescription: String
    let read: @Sendable () throws -> Void

    init<Call: MethodCall>(
      _ type: Call.Type,
      _ json: String,
      _ reason: ParameterError.Reason,
      _ path: String
    ) {
      error = ParameterError(reason, path: path)
      testDescription = json
      read = { _ = try decode(json, as: Call.self) }
    }
  }

  static let events = [
    Case(Wire.SendEventCall.self, #"{"event":{}}"#, .notAllowed, "event"),
    Case(Wire.SendEventCall.self, #"{"event":{"contentType":"text/plain"}}"#, .notAllowed, "event"),
    Case(
      Wire.SendEventCall.self,
      #"{"event":{"url":"x:","activity":{"activityType":"t"}}}"#,
      .notAllowed,
      "event"
    ),
    Case(Wire.ExplainEventCall.self, #"{"event":{"url":null,"activity":null}}"#, .notAllowed, "event"),
    Case(Wire.SendEventCall.self, #"{"event":{"uri":"x:"}}"#, .notAllowed, "event"),
    Case(Wire.SendEventCall.self, #"{"event":{"url":"x:","uri":"x:"}}"#, .unknown, "event.uri"),
    Case(Wire.SendEventCall.self, #"{"event":"x:"}"#, .wrongType, "event"),
    Case(Wire.SendEventCall.self, #"{"event":{"url":7}}"#, .wrongType, "event.url"),
    Case(Wire.SendEventCall.self, #"{"event":{"activity":{}}}"#, .missing, "event.activity.activityType"),
    Case(
      Wire.SendEventCall.self,
      #"{"event":{"activity":{"activityType":"t","userInfo":[1]}}}"#,
      .wrongType,
      "event.activity.userInfo"
    ),
    Case(Wire.SendEventCall.self, #"{"event":{"url":"x:"},"waitFor":"ever"}"#, .notAllowed, "waitFor"),
  ]

  static let scenes = [
    Case(
      Wire.OpenSceneCall.self,
      #"""
      {"context":{"applicationId":"a","registrations":[
        {"registrationId":"1","preferring":[],"allowing":[]},
        {"registrationId":"2","preferring":["*"],"allowing":[]},
        {"registrationId":"3","preferring":[1],"allowing":[]}]}}
      """#,
      .wrongType,
      "context.registrations[2].preferring[0]"
    ),
    Case(Wire.OpenSceneCall.self, #"{"context":{}}"#, .missing, "context.applicationId"),
    Case(
      Wire.DeclareApplicationCall.self,
      #"{"applicationId":"a","scenes":[{"declarationId":"d"},{"declarationId":"e","kind":"tab"}]}"#,
      .notAllowed,
      "scenes[1].kind"
    ),
    Case(
      Wire.DeclareApplicationCall.self,
      #"{"applicationId":"a","scenes":[],"claims":{"schemes":["x",null]}}"#,
      .wrongType,
      "claims.schemes[1]"
    ),
    Case(
      Wire.SetRegistrationCall.self,
      #"{"sceneHandle":"h","registration":{"registrationId":"1","preferring":[]}}"#,
      .missing,
      "registration.allowing"
    ),
  ]

  static let numbers = [
    Case(
      Wire.OpenSceneCall.self,
      #"{"context":{"applicationId":"a"},"maxPendingDeliveries":0}"#,
      .notAllowed,
      "maxPendingDeliveries"
    ),
    Case(
      Wire.OpenSceneCall.self,
      #"{"context":{"applicationId":"a"},"maxPendingDeliveries":-9223372036854775809}"#,
      .notAllowed,
      "maxPendingDeliveries"
    ),
    Case(
      Wire.ExplainEventCall.self,
      #"{"event":{"url":"x:"},"maxTraceSteps":-1}"#,
      .notAllowed,
      "maxTraceSteps"
    ),
    Case(Wire.SendEventCall.self, #"{"event":{"url":"x:"},"timeoutUSec":-1}"#, .notAllowed, "timeoutUSec"),
    Case(Wire.SendEventCall.self, #"{"event":{"url":"x:"},"timeoutUSec":1.0}"#, .wrongType, "timeoutUSec"),
  ]

  @Test(arguments: events + scenes + numbers)
  func errorsNameThePlace(_ refused: Case) {
    #expect(throws: refused.error) { try refused.read() }
  }

  @Test func smallestNumbersAreAccepted() throws {
    let open: Wire.OpenSceneCall = try decode(#"{"context":{"applicationId":"a"},"maxPendingDeliveries":1}"#)
    #expect(open.maxPendingDeliveries == 1)
    let explain: Wire.ExplainEventCall = try decode(#"{"event":{"url":"x:"},"maxTraceSteps":0}"#)
    #expect(explain.maxTraceSteps == 0)
    let send: Wire.SendEventCall = try decode(#"{"event":{"url":"x:"},"timeoutUSec":0}"#)
    #expect(send.timeoutUSec == 0)
  }
}
