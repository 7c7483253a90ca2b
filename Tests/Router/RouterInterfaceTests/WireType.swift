import RouterInterface
import Testing
import Varlink

/// A Swift type, with the fields that the interface description gives this type.
struct WireType: Sendable, CustomTestStringConvertible {
  let interface: InterfaceDescription
  /// The name of the type: `Delivery` for a structure, `OpenScene()` for a call, or `ListScenes() ->` for a reply.
  let testDescription: String
  let fields: [Field]
  /// Reads a value from JSON, and writes the value as JSON.
  let recode: @Sendable (String, JSONValue.UnknownMembers) throws -> String
  /// Whether the type is generated; the names and properties of others are not those of the interface.
  let isGenerated: Bool
  /// The names of the properties of the value that is read from JSON.
  let properties: @Sendable (String) throws -> [String]

  private init<Value: ObjectDecodable & ObjectEncodable & Sendable>(
    _ interface: InterfaceDescription,
    _ description: String,
    _ fields: [Field],
    _ type: Value.Type
  ) {
    self.interface = interface
    testDescription = description
    self.fields = fields
    isGenerated = !String(reflecting: type).hasPrefix("SceneTypes.")
    recode = { json, unknownMembers in
      let value = try decode(json, as: Value.self, unknownMembers)
      // A decoded event keeps its JSON, and `encode` would write this JSON again. An event without its JSON is written
      // from its fields.
      if let event = value as? Event { return encode(event.withoutEncoding) }
      return encode(value)
    }
    properties = { json in
      let mirror = Mirror(reflecting: try decode(json, as: Value.self))
      return mirror.children.map { $0.label! }
    }
  }

  func sample(_ event: Sample.EventKind = .url, isFull: Bool = true) -> Sample {
    Sample(interface: interface, event: event, isFull: isFull)
  }

  /// Returns the JSON of a value in which all fields are set, but replaces the JSON of one field.
  ///
  /// An event has only one of the fields `url` and `activity`.
  func json(replacing name: String, with json: String) -> String {
    let event: Sample.EventKind = name == "activity" ? .activity : .url
    let members = sample(event).members(of: fields).map { ($0.name, $0.name == name ? json : $0.json) }
    return Sample.object(members)
  }
}

extension WireType {
  static let router = try! InterfaceDescription(parsing: Wire.routerInterface)
  static let manager = try! InterfaceDescription(parsing: Wire.managerInterface)

  static let service = try! InterfaceDescription(parsing: ServiceInterface.source)

  static let all = types + calls + replies

  static let types = [
    type("Activity", Activity.self),
    type("Event", Event.self),
    type("Registration", Registration.self),
    type("SceneContext", SceneContext.self),
    type("SceneRuntime", SceneDescription.Runtime.self),
    type("Scene", SceneDescription.self),
    type("CurrentActivity", CurrentActivity.self),
    type("Continuation", Continuation.self),
    type("SceneDeclaration", SceneDeclaration.self),
    type("Claims", Claims.self),
    type("Application", ApplicationDescription.self),
    type("TraceStep", TraceStep.self),
    type("RouteDecision", RouteDecision.self),
    type("Sender", Sender.self),
    type("Delivery", Wire.EventDelivered.self),
    type("OpenRequest", Wire.SceneRequested.self),
    type("SceneOpened", Wire.SceneOpened.self),
    type("ApplicationDeclared", Wire.ApplicationDeclared.self),
    type("Withdrawal", Withdrawal.self),
    type("Settlement", Settlement.self),
    type("Snapshot", RegistrySnapshot.self),
    type("RoutedEvent", RoutedEvent.self),
    type("Record", EventRecord.self, of: manager),
    type("Attempt", EventRecord.Attempt.self, of: manager),
    type("Problem", Reload.Problem.self, of: manager),
  ]

  static let calls = [
    call(Wire.OpenSceneCall.self),
    call(Wire.SetRegistrationCall.self),
    call(Wire.RemoveRegistrationCall.self),
    call(Wire.UpdateSceneCall.self),
    call(Wire.SetActivityCall.self),
    call(Wire.CloseSceneCall.self),
    call(Wire.AcknowledgeDeliveryCall.self),
    call(Wire.DeclineDeliveryCall.self),
    call(Wire.SendEventCall.self),
    call(Wire.AwaitEventCall.self),
    call(Wire.ExplainEventCall.self),
    call(Wire.DeclareApplicationCall.self),
    call(Wire.DeclineOpenRequestCall.self),
    call(Wire.ListScenesCall.self),
    call(Wire.ListApplicationsCall.self),
    call(Wire.ListActivitiesCall.self),
    call(Wire.TakeActivityCall.self),
    call(Wire.MonitorCall.self),
    call(Wire.ListRecordsCall.self, of: manager),
    call(Wire.ClearRecordsCall.self, of: manager),
    call(Wire.GetStatisticsCall.self, of: manager),
    call(Wire.ReloadCall.self, of: manager),
    call(GetInfo.self, of: service),
    call(GetInterfaceDescription.self, of: service),
  ]

  /// The replies that are structures; `ReplyTests` covers the other replies.
  static let replies = [
    reply(Wire.SetRegistrationCall.self),
    reply(Wire.RemoveRegistrationCall.self),
    reply(Wire.UpdateSceneCall.self),
    reply(Wire.SetActivityCall.self),
    reply(Wire.CloseSceneCall.self),
    reply(Wire.AcknowledgeDeliveryCall.self),
    reply(Wire.DeclineDeliveryCall.self),
    reply(Wire.SendEventCall.self),
    reply(Wire.AwaitEventCall.self),
    reply(Wire.ExplainEventCall.self),
    reply(Wire.DeclineOpenRequestCall.self),
    reply(Wire.ListScenesCall.self),
    reply(Wire.ListApplicationsCall.self),
    reply(Wire.ListActivitiesCall.self),
    reply(Wire.TakeActivityCall.self),
    reply(Wire.ListRecordsCall.self, of: manager),
    reply(Wire.GetStatisticsCall.self, of: manager),
    reply(Wire.ReloadCall.self, of: manager),
    reply(GetInfo.self, of: service),
    reply(GetInterfaceDescription.self, of: service),
  ]

  /// Removes the name of the interface and the dot from a qualified name.
  ///
  /// The qualified name must begin with the name of the interface.
  static func unqualified(_ name: StaticString, in interface: InterfaceDescription) -> String {
    let name = "\(name)"
    precondition(name.hasPrefix(interface.name + "."), "\(name) is not of \(interface.name)")
    return String(name.dropFirst(interface.name.utf8.count + 1))
  }

  static func method(_ name: StaticString, of interface: InterfaceDescription) -> InterfaceDescription.Method
  {
    let name = unqualified(name, in: interface)
    return interface.methods.first { $0.name == name }!
  }

  private static func type<Value: ObjectDecodable & ObjectEncodable & Sendable>(
    _ name: String,
    _ type: Value.Type,
    of interface: InterfaceDescription = router
  ) -> WireType {
    guard case .structure(let fields) = interface.types.first(where: { $0.name == name })!.type else {
      preconditionFailure("\(name) is no structure")
    }
    return WireType(interface, name, fields, type)
  }

  private static func call<Call: MethodCall>(
    _ type: Call.Type,
    of interface: InterfaceDescription = router
  ) -> WireType {
    let method = method(Call.method, of: interface)
    return WireType(interface, method.name + "()", method.input, type)
  }

  private static func reply<Call: MethodCall>(
    _ type: Call.Type,
    of interface: InterfaceDescription = router
  ) -> WireType {
    let method = method(Call.method, of: interface)
    return WireType(interface, method.name + "() ->", method.output, Call.Reply.self)
  }
}
