/// The highest costs that the daemon may have, in units that do not depend on the load of the machine.
///
/// The figures are the current costs of the code, in a debug build with Swift 6.3. A change that lowers a cost also
/// lowers the figure. If a change raises a figure, its commit message says what is gained.
enum Budget {
  /// How many system calls all threads make: in all, to receive, and to send.
  struct SystemCalls {
    var all: Int
    var receives: Int
    var sends: Int
  }

  /// The system calls during each exchange.
  ///
  /// The daemon only waits, receives and sends.
  static let systemCalls: KeyValuePairs<Exchange, SystemCalls> = [
    .deliveredEvent: SystemCalls(all: 6, receives: 2, sends: 2),
    .refusedEvent: SystemCalls(all: 3, receives: 1, sends: 1),
    .activeScene: SystemCalls(all: 3, receives: 1, sends: 1),
    .changedRegistration: SystemCalls(all: 3, receives: 1, sends: 1),
  ]
  /// The largest number of calls that send during a batch of 64 events and their 64 acknowledgements.
  ///
  /// The client sends all events with one write, and all acknowledgements with another write. The test compares
  /// this limit with the lowest of several counts. The lowest count was 5. On a slow machine the count is higher,
  /// because the daemon often writes replies before all messages are finished.
  static let sendsOfBatch = 16

  /// The numbers of heap allocations by all threads during each exchange.
  static let allocations: KeyValuePairs<Exchange, Int> = [
    .deliveredEvent: 155,
    .refusedEvent: 124,
    .activeScene: 11,
    .changedRegistration: 76,
  ]

  /// The names, without version, of the libraries that may be loaded; a release build loads fewer libraries.
  static let libraries: Set = [
    // Libraries of the operating system.
    "ld-linux-x86-64", "ld-linux-aarch64", "libc", "libm", "libgcc_s", "libstdc++",
    // Libraries of Swift.
    "libBlocksRuntime", "libdispatch", "libswiftCore", "libswiftDispatch", "libswiftGlibc",
    "libswiftSwiftOnoneSupport", "libswiftSynchronization", "libswift_Builtin_float", "libswift_Concurrency",
    "libswift_RegexParser", "libswift_StringProcessing",
    // The library of systemd, and the libraries that it needs.
    "libsystemd", "libcap", "libgcrypt", "libgpg-error", "liblz4", "liblzma", "libzstd",
  ]
}

extension Budget {
  /// Returns the cost of an exchange without disturbances: the first percentile of many costs.
  ///
  /// An exchange costs more if the daemon returns from its loop, because the daemon then handles timers and signals. On
  /// a busy machine, the daemon returns from its loop more often.
  static func undisturbed(_ costs: some Sequence<Int>) -> Int {
    let costs = costs.sorted()
    return costs[costs.count / 100]
  }
}
