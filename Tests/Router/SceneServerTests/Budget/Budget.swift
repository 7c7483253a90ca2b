/// The highest costs that the daemon may have, in units that do not depend on the load of the machine.
///
/// The figures are the current costs of the code, in a debug build with Swift 6.3. A change that lowers a cost also
/// lowers the figure. A change that raises a figure says in its commit what the cost buys.
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
  ]
  /// The largest number of calls that send during a batch of 64 events and their 64 acknowledgements.
  ///
  /// The client sends all events with one write, and all acknowledgements with another write. The lowest of several
  /// counts was 5. On a slow machine, the daemon often returns from its loop before all messages are finished. Each
  /// time, the daemon writes the replies so far.
  static let sendsOfBatch = 16

  /// The numbers of heap allocations by all threads during each exchange.
  static let allocations: KeyValuePairs<Exchange, Int> = [
    .deliveredEvent: 155,
    .refusedEvent: 124,
    .activeScene: 11,
  ]

  /// The names, without version, of the libraries that may be loaded; a release build loads fewer libraries.
  static let libraries: Set = [
    // The system.
    "ld-linux-x86-64", "ld-linux-aarch64", "libc", "libm", "libgcc_s", "libstdc++",
    // Swift.
    "libBlocksRuntime", "libdispatch", "libswiftCore", "libswiftDispatch", "libswiftGlibc",
    "libswiftSwiftOnoneSupport", "libswiftSynchronization", "libswift_Builtin_float", "libswift_Concurrency",
    "libswift_RegexParser", "libswift_StringProcessing",
    // systemd and its dependencies.
    "libsystemd", "libcap", "libgcrypt", "libgpg-error", "liblz4", "liblzma", "libzstd",
  ]
}

extension Budget {
  /// Returns the cost of an exchange without disturbances: the first percentile of many costs.
  ///
  /// The higher costs include returns from the daemon's loop, after which timers and signals are handled. On a busy
  /// machine, the daemon returns from its loop more often.
  static func undisturbed(_ costs: some Sequence<Int>) -> Int {
    let costs = costs.sorted()
    return costs[costs.count / 100]
  }
}
