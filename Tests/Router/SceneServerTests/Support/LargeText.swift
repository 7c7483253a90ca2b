/// Texts that are as long as the limits allow, and a call with a long answer.
enum LargeText {
  /// A call that asks for the description of the router's interface.
  static let callForDescription = #"""
    {"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"io.scened.Router"}}
    """#

  /// A URL of 32 KiB.
  static let url = "test:" + String(repeating: "u", count: (32 << 10) - 5)

  /// Returns sixteen identifiers of 4 KiB, different for each number.
  static func identifiers(_ number: Int) -> [String] {
    (0..<16).map { index in
      let start = "\(number) \(index) "
      return start + String(repeating: "i", count: (4 << 10) - start.utf8.count)
    }
  }
}
