import Foundation
import TestSupport
import Testing
import UnixSocket

/// The example of a Varlink service and client, with other implementations of Varlink as peers.
@Suite(.blocking) final class CalculatorTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.appending("calculator") }
  private var address: String { "unix:\(path)" }

  private static let sources = PackageDirectory.appending("Sources/Examples/Calculator/CalculatorInterface")

  init() throws { directory = try TemporaryDirectory() }

  private func startService() throws -> SpawnedProgram {
    let service = try SpawnedProgram("CalculatorService", [path])
    // The file of the socket is there a moment before the service listens.
    try Deadline().wait("The service does not listen.") {
      do {
        _ = try StreamSocket.connect(to: SocketAddress(path), nonblocking: false)
        return true
      } catch {
        return false
      }
    }
    return service
  }

  private func varlinkctl(_ arguments: String...) throws -> (
    ending: SpawnedProgram.Ending, output: String, error: String
  ) {
    try SpawnedProgram.run(VarlinkctlTests.program(), arguments)
  }

  @Test func varlinkctlReadsTheServiceAndCallsIt() throws {
    let service = try startService()
    let info = try varlinkctl("info", address).output
    #expect(info.contains("Product: Calculator") && info.contains("org.example.calculator"))
    #expect(
      try varlinkctl("introspect", address, "org.example.calculator").output.contains("method Factorize")
    )

    func call(_ method: String, _ parameters: String, _ options: String...) throws -> String {
      let line =
        ["call", "--json=short"] + options + [address, "org.example.calculator.\(method)", parameters]
      let (_, output, error) = try SpawnedProgram.run(VarlinkctlTests.program(), line)
      return output + error
    }
    #expect(try JSON(parsing: call("Add", #"{"a":1.5,"b":2}"#)) == ["sum": 3.5])
    #expect(
      try JSON(parsing: call("Divide", #"{"dividend":17,"divisor":5}"#)) == ["quotient": 3, "remainder": 2]
    )
    #expect(
      try call("Divide", #"{"dividend":1,"divisor":0}"#).contains("org.example.calculator.DivisionByZero")
    )
    #expect(try call("Divide", #"{"dividend":1}"#).contains("InvalidParameter"))
    #expect(try call("Multiply", "{}").contains("MethodNotFound"))
    #expect(try call("Factorize", #"{"number":6}"#).contains("ExpectedMore"))
    let factors = try call("Factorize", #"{"number":360}"#, "--more").split(separator: "\n").map {
      try JSON(parsing: String($0.drop { $0 == "\u{1E}" }))
    }
    #expect(factors == [2, 2, 2, 3, 3, 5].map { ["factor": $0] })
    withExtendedLifetime(service) {}
  }

  @Test func pythonCallsTheService() throws {
    let service = try startService()
    let python = try PythonProgram.start([PythonProgram.script("calculator.py"), "call", address])
    #expect(try python.waitForEnd() == .exit(0), "\(python.errorText)")
    let lines =
      ["{'sum': 3.5}", "{'quotient': 3, 'remainder': 2}"]
      + [2, 2, 2, 3, 3, 5].map { "{'factor': \($0)}" }
      + ["org.example.calculator.DivisionByZero", "org.example.calculator.NoFactors {'number': 1}"]
    #expect(python.outputText.split(separator: "\n").map(String.init) == lines)
    withExtendedLifetime(service) {}
  }

  @Test(arguments: [("360", "2\n2\n2\n3\n3\n5\n"), ("1", "noFactors(1)\n")])
  func clientCallsTheServiceAndPythons(_ number: String, _ output: String) throws {
    let service = try startService()
    let (ending, factors, error) = try SpawnedProgram.run("CalculatorClient", [path, number])
    #expect(factors == output, "\(ending) \(error)")
    withExtendedLifetime(service) {}
    let other = directory.appending("python")
    let script = [PythonProgram.script("calculator.py"), "serve", "unix:\(other)", Self.sources]
    let python = try PythonProgram.start(script)
    try python.outputLine(containing: "Listening")
    #expect(try SpawnedProgram.run("CalculatorClient", [other, number]).output == output)
  }
}
