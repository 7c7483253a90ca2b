import CalculatorInterface
import VarlinkClient

/// Asks a calculator for the prime factors of a number.
///
/// The first argument is the path of the calculator's socket, the second is the number.
@main
enum Main {
  static func main() async throws {
    let calculator = try await VarlinkConnection.connect(toPath: CommandLine.arguments[1])
    do throws(VarlinkClientError) {
      let number = Int64(CommandLine.arguments[2]) ?? 0
      for try await reply in try calculator.callMore(Calculator.Factorize(number: number)) {
        print(reply.factor)
      }
    } catch {
      guard case .errorReply(let message) = error else { throw error }
      print(message.decoded(as: Calculator.CalculatorError.self).map { "\($0)" } ?? message.name)
    }
  }
}
