/// Texts as long as the limits allow, or with an answer that is.
enum LargeText {
  /// A call that asks for the description of the router's interface.
  static let callForDescription = #"""
    {"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"io.scened.Router"}}
    """#

  /// A URL of 64 KiB.
  static let url = "test:" + String(repeating: "u", count: (64 << 10) - 5)

  /// An identifier of 64 KiB, another one for each number.
  static func identifier(_ number: Int) -> String {
    let start = "\(number) "
    return start + String(repeating: "i", count: (64 << 10) - start.utf8.count)
  }
}
