import Varlink

/// One call of `org.varlink.certification`, and what it is answered with.
struct CertificationStep: Sendable {
  let method: StaticString
  var mode = CallMode.plain
  let replies: [[String: JSON]]

  /// What the call after one with these replies has to send, besides the client's identifier.
  static func parameters(after replies: [[String: JSON]]) -> [String: JSON] {
    guard replies.count > 1 else { return replies.first ?? [:] }
    return ["last_more_replies": .array(replies.compactMap { $0["string"] })]
  }
}

extension CertificationStep {
  static let start: StaticString = "org.varlink.certification.Start"

  /// The steps after ``start``, in order.
  static let all = [
    CertificationStep(method: "org.varlink.certification.Test01", replies: [["bool": true]]),
    CertificationStep(method: "org.varlink.certification.Test02", replies: [["int": 1]]),
    CertificationStep(method: "org.varlink.certification.Test03", replies: [["float": 1.0]]),
    CertificationStep(method: "org.varlink.certification.Test04", replies: [["string": "ping"]]),
    CertificationStep(method: "org.varlink.certification.Test05", replies: [scalars]),
    CertificationStep(method: "org.varlink.certification.Test06", replies: [["struct": .object(scalars)]]),
    CertificationStep(
      method: "org.varlink.certification.Test07",
      replies: [["map": ["foo": "Foo", "bar": "Bar"]]]
    ),
    CertificationStep(
      method: "org.varlink.certification.Test08",
      replies: [["set": ["one": [:], "two": [:], "three": [:]]]]
    ),
    CertificationStep(method: "org.varlink.certification.Test09", replies: [["mytype": mytype]]),
    CertificationStep(
      method: "org.varlink.certification.Test10",
      mode: .more,
      replies: (1...10).map { ["string": .string("Reply number \($0)")] }
    ),
    CertificationStep(method: "org.varlink.certification.Test11", mode: .oneway, replies: []),
    CertificationStep(method: "org.varlink.certification.End", replies: [["all_ok": true]]),
  ]

  private static let scalars: [String: JSON] = [
    "bool": false, "int": 2, "float": .double(.pi), "string": "a lot of string",
  ]

  private static let mytype: JSON = [
    "object": [
      "method": "org.varlink.certification.Test09", "parameters": ["map": ["foo": "Foo", "bar": "Bar"]],
    ],
    "enum": "two",
    "struct": ["first": 1, "second": "2"],
    "array": ["one", "two", "three"],
    "dictionary": ["foo": "Foo", "bar": "Bar"],
    "stringset": ["one": [:], "two": [:], "three": [:]],
    "interface": [
      "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
      "anon": ["foo": true, "bar": false],
    ],
  ]
}
