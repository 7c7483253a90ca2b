import CalculatorInterface
import VarlinkServer

/// Serves `org.example.calculator` at the path in the argument, until the program is killed.
@main
enum Main {
  static func main() async throws {
    var service = try Service(
      vendor: "Example",
      product: "Calculator",
      version: "1",
      url: "https://example.org/calculator",
      interfaces: [Calculator.interfaceDescription]
    )
    service.on(Calculator.Add.self) { Calculator.Add.Reply(sum: $0.a + $0.b) }
    service.on(Calculator.Divide.self) { call throws(Calculator.CalculatorError) in
      guard call.divisor != 0 else { throw .divisionByZero }
      let (quotient, remainder) = call.dividend.quotientAndRemainder(dividingBy: call.divisor)
      return Calculator.Divide.Reply(quotient: quotient, remainder: remainder)
    }
    service.onMore(Calculator.Factorize.self) { call, replies throws(Calculator.CalculatorError) in
      guard call.number > 1 else { throw .noFactors(call.number) }
      var (rest, factor) = (call.number, Int64(2))
      while factor <= rest / factor {
        guard rest % factor == 0 else { factor += 1; continue }
        await replies.send(Calculator.Factorize.Reply(factor: factor))
        rest /= factor
      }
      return Calculator.Factorize.Reply(factor: rest)
    }
    try await service.run(at: CommandLine.arguments[1])
  }
}
