import CSystemd
import Glibc

/// Prints the result of `scened_listen_descriptors` in a process that was started with descriptors.
///
/// The program prints one line for each of these:
/// - the number and the names of the descriptors;
/// - the descriptors that are close-on-exec;
/// - the `LISTEN_` variables that are still set after the call;
/// - the number and the names that a second call returns.
///
/// The argument is the size of the buffer for the names, in bytes.
@main enum PrintListenDescriptors {
  static func main() {
    let room = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 512
    printDescriptors(room: room)
    let descriptors: ClosedRange<CInt> = 3...5
    print(descriptors.filter { fcntl($0, F_GETFD) == FD_CLOEXEC })
    let variables: [String] = ["LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID"]
    print(variables.filter { getenv($0) != nil })
    printDescriptors(room: 512)
  }

  private static func printDescriptors(room: Int) {
    var names = [CChar](repeating: 1, count: room)
    let count = scened_listen_descriptors(&names, names.count)
    print(count, String(decoding: names.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self))
  }
}
