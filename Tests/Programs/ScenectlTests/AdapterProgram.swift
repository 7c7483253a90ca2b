import Foundation
import TestSupport
import Testing

/// A running `scenectl adapter`, to which a test writes lines or objects.
final class AdapterProgram {
  let program: SpawnedProgram
  private let directory: TemporaryDirectory
  private var input: FileHandle?

  /// Starts the adapter; if `output` is the path of a file, the adapter's standard output goes to the file.
  ///
  /// The command `through`, if any, gets the adapter's command as its last arguments and becomes the adapter.
  init(
    _ option: String? = nil,
    environment: [String: String],
    output: String? = nil,
    through command: [String] = []
  ) throws {
    directory = try TemporaryDirectory()
    let pipe = directory.appending("input")
    try #require(mkfifo(pipe, 0o600) == 0)
    let redirection = output.map { " >'\($0)'" } ?? ""
    program = try SpawnedProgram(
      "/bin/sh",
      [
        "-c", #"exec "$@" adapter "# + (option ?? "") + " <'\(pipe)'" + redirection, "sh",
      ] + command + [SpawnedProgram.buildDirectory + "/scenectl"],
      environment: environment
    )
    // Without O_CLOEXEC, a program that another test starts meanwhile would inherit the pipe and keep it open. The
    // adapter would then never read the end of its input.
    let descriptor = open(pipe, O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Writes a line to the adapter's input.
  func say(_ line: String) throws { try input?.write(contentsOf: Data((line + "\n").utf8)) }

  /// Writes an object to the adapter's input as browsers do: four bytes with its length, and then the object.
  func say(message: String) throws {
    let length = withUnsafeBytes(of: UInt32(message.utf8.count)) { Data($0) }
    try input?.write(contentsOf: length + Data(message.utf8))
  }

  /// Writes an object that is one byte longer than `length`.
  func say(tooLong length: Int, isNative: Bool) throws {
    if isNative { try input?.write(contentsOf: withUnsafeBytes(of: UInt32(length + 1)) { Data($0) }) }
    let part = Data(repeating: UInt8(ascii: " ") + 1, count: 1 << 20)
    for _ in 0..<(length >> 20) { try input?.write(contentsOf: part) }
    try input?.write(contentsOf: Data((isNative ? "!" : "!\n").utf8))
  }

  func endInput() { input = nil }

  /// Waits for the adapter to write an object whose first member has the name `word`.
  func object(_ word: String) throws -> JSONObject { try JSONObject(line(word)) }

  /// Waits for the adapter to write an object whose first member has the name `word`, and returns the whole line.
  func line(_ word: String) throws -> String { try program.outputLine(containing: "{\"\(word)\":") }
}
