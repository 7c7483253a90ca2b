/// What the daemon may cost, in things that can be counted and are the same on a busy machine.
///
/// The figures are those that the code reaches, in a debug build with Swift 6.3. Whoever lowers one sets it here; whoever
/// has to raise one says in the commit what it buys.
enum Budget {
  /// System calls of all threads, and those of them that receive and send.
  struct SystemCalls {
    var all: Int
    var receives: Int
    var sends: Int
  }

  /// To wait, receive and send for each call.
  static let systemCalls: KeyValuePairs<Exchange, SystemCalls> = [
    .deliveredEvent: SystemCalls(all: 6, receives: 2, sends: 2),
    .refusedEvent: SystemCalls(all: 3, receives: 1, sends: 1),
    .activeScene: SystemCalls(all: 3, receives: 1, sends: 1),
  ]
  /// Calls that send, for 64 events that come with one write and are acknowledged with one: 128 messages.
  ///
  /// The least of several times is 5; the slower the machine is, the more often the daemon returns from its loop before
  /// it is done with all, and writes what it has.
  static let sendsOfBatch = 16

  /// Allocations on the heap, of all threads.
  static let allocations: KeyValuePairs<Exchange, Int> = [
    .deliveredEvent: 155,
    .refusedEvent: 124,
    .activeScene: 11,
  ]

  /// The libraries that may be in the process, without version; a release build has fewer.
  static let libraries: Set = [
    // Of the system.
    "ld-linux-x86-64", "ld-linux-aarch64", "libc", "libm", "libgcc_s", "libstdc++",
    // Of Swift.
    "libBlocksRuntime", "libdispatch", "libswiftCore", "libswiftDispatch", "libswiftGlibc",
    "libswiftSwiftOnoneSupport", "libswiftSynchronization", "libswift_Builtin_float", "libswift_Concurrency",
    "libswift_RegexParser", "libswift_StringProcessing",
    // Of systemd, with what that needs itself.
    "libsystemd", "libcap", "libgcrypt", "libgpg-error", "liblz4", "liblzma", "libzstd",
  ]
}

extension Budget {
  /// What an exchange costs by itself, out of what many of them did: what the cheapest hundredth cost at most.
  ///
  /// The others hold what it costs that the daemon returns from its loop after some time, so that timers and signals get
  /// their turn. The busier the machine is, the more there are.
  static func undisturbed(_ costs: some Sequence<Int>) -> Int {
    let costs = costs.sorted()
    return costs[costs.count / 100]
  }
}
