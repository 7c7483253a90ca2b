import Varlink
import VarlinkClient

/// One call of `org.varlink.certification`, and its replies.
struct CertificationStep: Sendable {
  let method: StaticString
  let mode: CallMode
  /// The call that the client with this identifier must make.
  let wanted: @Sendable (_ client: String) -> any MethodCall
  let replies: [any ObjectEncodable & Sendable]
  /// Reads a received call.
  let read: @Sendable (borrowing Call) throws(ParameterError) -> any MethodCall
  /// Makes the call, and returns its replies.
  let make: @Sendable (_ client: String, VarlinkConnection) async throws -> [any ObjectEncodable]

  init<Step: MethodCall>(
    _ wanted: @escaping @Sendable (_ client: String) -> Step,
    _ replies: [Step.Reply],
    mode: CallMode = .plain
  ) {
    method = Step.method
    self.mode = mode
    self.wanted = wanted
    self.replies = replies
    read = { call throws(ParameterError) in try call.decodeParameters(as: Step.self) }
    make = { client, connection in
      switch mode {
      case .oneway:
        try connection.callOneway(Step.method, wanted(client))
        return []
      case .more:
        var replies: [Step.Reply] = []
        for try await reply in try connection.callMore(Step.method, wanted(client), as: Step.Reply.self) {
          replies.append(reply)
        }
        return replies
      case .plain, .upgrade:
        return [try await connection.call(Step.method, wanted(client), as: Step.Reply.self)]
      }
    }
  }
}

extension CertificationStep {
  /// The steps after `Start`, in order; each call sends the values of the previous reply.
  static let all = [
    CertificationStep({ Certification.Test01(clientID: $0) }, [.init(bool: true)]),
    CertificationStep({ Certification.Test02(clientID: $0, bool: true) }, [.init(int: 1)]),
    CertificationStep({ Certification.Test03(clientID: $0, int: 1) }, [.init(float: 1)]),
    CertificationStep({ Certification.Test04(clientID: $0, float: 1) }, [.init(string: "ping")]),
    CertificationStep(
      { Certification.Test05(clientID: $0, string: "ping") },
      [.init(bool: false, int: 2, float: .pi, string: text)]
    ),
    CertificationStep(
      { Certification.Test06(clientID: $0, bool: false, int: 2, float: .pi, string: text) },
      [.init(struct: .init(bool: false, int: 2, float: .pi, string: text))]
    ),
    CertificationStep(
      {
        Certification.Test07(
          clientID: $0,
          struct: .init(bool: false, int: 2, float: .pi, string: text)
        )
      },
      [.init(map: map)]
    ),
    CertificationStep({ Certification.Test08(clientID: $0, map: map) }, [.init(set: set)]),
    CertificationStep({ Certification.Test09(clientID: $0, set: set) }, [.init(mytype: mytype)]),
    CertificationStep(
      { Certification.Test10(clientID: $0, mytype: mytype) },
      many.map { .init(string: $0) },
      mode: .more
    ),
    CertificationStep(
      { Certification.Test11(clientID: $0, lastMoreReplies: many) },
      [],
      mode: .oneway
    ),
    CertificationStep({ Certification.End(clientID: $0) }, [.init(allOk: true)]),
  ]

  private static let text = "a lot of string"
  private static let map = ["foo": "Foo", "bar": "Bar"]
  private static let set = ["one": NoParameters(), "two": NoParameters(), "three": NoParameters()]
  private static let many = (1...10).map { "Reply number \($0)" }
  private static let mytype = Certification.MyType(
    object: RawObject(
      bytes: Array(
        #"{"method":"org.varlink.certification.Test09","parameters":{"map":{"foo":"Foo","bar":"Bar"}}}"#.utf8
      )
    ),
    enum: .two,
    struct: .init(first: 1, second: "2"),
    array: ["one", "two", "three"],
    dictionary: map,
    stringset: set,
    interface: Certification.Interface(
      foo: [nil, ["foo": .foo, "bar": .bar], nil, ["one": .foo, "two": .bar]],
      anon: .init(foo: true, bar: false)
    )
  )
}
