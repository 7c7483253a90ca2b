import SceneRouting
import Testing

@testable import SceneServer

@Suite struct PublicIDTests {
  /// The four characters after the first stand for the run of the service, and none of them is ever a `0`.
  @Test(arguments: 1...4)
  func idOfAnotherRunIsUnknown(_ position: Int) {
    var random = SystemRandomNumberGenerator()
    let ids = PublicIDs(using: &random)
    var text = Array(ids.text(SceneID(rawValue: 7)))
    #expect(ids.scene(String(text)) == SceneID(rawValue: 7))
    text[position] = "0"
    #expect(ids.scene(String(text)) == nil)
  }
}
