import Testing

@testable import SceneRouting

@Suite struct URLSyntaxTests {
  /// An extension that is longer than any file name does not count.
  @Test(arguments: [(1, true), (254, true), (255, false), (60_000, false)])
  func extensionIsNoLongerThanNamesOfFiles(length: Int, isOne: Bool) {
    let type = String(repeating: "x", count: length)
    let name = String(repeating: "a", count: 300)
    #expect(URLSyntax.filenameExtension(of: "file:///srv/\(name).\(type)") == (isOne ? type : nil))
    let escaped = String(repeating: "%58", count: length)
    #expect(URLSyntax.filenameExtension(of: "https:\(name).\(escaped)?q#f") == (isOne ? type : nil))
  }
}
