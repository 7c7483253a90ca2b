/// Keeps a link from going in circles between programs that hand links on.
///
/// A program that was started with a link may send the link back to the router. An example is a program that asks the
/// user which browser to use. The link must not come back to this program. Nor must the link go to programs that handed
/// it on earlier. For each event that started a program, this memory keeps what all these programs were started with.
///
/// Everything that a program starts inherits the event's id, so most events with this id are about other links. These
/// may go to the program.
///
/// An entry is forgotten after the time for which an `eventId` is remembered. The program is assumed not to send the
/// link back later than that.
struct StartMemory {
  /// A link, or the content of an activity, as the hash of what makes it equal to others.
  struct Link: Hashable {
    private let hash: Int

    /// The names of what an event is about: one, or two if the event has a resolved URL.
    static func names(of event: Event, machineName: [UInt8]) -> [Link] {
      switch event.content {
      case .url(let url):
        [url, event.resolvedURL].compactMap { $0.map { Link(ShownURL($0, machineName: machineName)) } }
      case .activity(let activity): [Link(activity)]
      }
    }

    private init(_ content: some Hashable) { hash = content.hashValue }
  }

  /// An application that was started with a link.
  private struct Given: Hashable {
    var applicationID: String
    var link: Link
  }

  /// What the programs of a chain were started with; each but the first was started because the one before handed on.
  private struct Chain {
    var given: [Given] = []
    /// The number of programs.
    var length = 0
    /// The links that the last program, or a program that it started, has sent.
    var sent: [Link] = []

    /// Whether the next link would make the chain too long, or has been sent so often that it seems to go in circles.
    func isTooLong(before links: [Link], _ limits: Limits) -> Bool {
      length >= limits.chainLength || sent.count > limits.linksOfStart
        || sent.count { links.contains($0) } > limits.chainLength
    }
  }

  private struct Expiry {
    var event: DecisionID
    var time: UInt64
  }

  private var chains: [DecisionID: Chain] = [:]
  /// The times at which entries are forgotten, oldest first.
  private var expiries = Queue<Expiry>()

  /// The applications that must not get a link from the program that was started for the event `origin`.
  ///
  /// These are the applications that were started with this link. If the chain is too long, they are all applications of
  /// the chain.
  func applications(passedOverFor links: [Link], from origin: DecisionID, _ limits: Limits) -> [String] {
    guard let chain = chains[origin] else { return [] }
    let isTooLong = chain.isTooLong(before: links, limits)
    return chain.given.filter { isTooLong || links.contains($0.link) }.map(\.applicationID)
  }

  /// Records that the program that was started for the event `origin`, or a program that it started, sends a link.
  mutating func noteSent(_ links: [Link], from origin: DecisionID, _ limits: Limits) {
    guard let link = links.first, chains[origin]?.sent.count ?? .max <= limits.linksOfStart else { return }
    chains[origin]?.sent.append(link)
  }

  /// Records the start of an application with some events.
  ///
  /// The entry is that of the first event, because the program knows only this one. If there are too many entries,
  /// forgets the oldest.
  mutating func insert(
    _ application: String,
    startedWith events: [(origin: DecisionID?, links: [Link])],
    for first: DecisionID,
    at now: UInt64,
    _ limits: Limits
  ) {
    // There is an entry already if an earlier attempt at the event started another program.
    if chains[first] == nil { expiries.append(Expiry(event: first, time: now + limits.rememberedUSec)) }
    var chain = chains[first] ?? Chain()
    for (origin, links) in events {
      let before = origin.flatMap { chains[$0] } ?? Chain()
      chain.length = max(chain.length, before.length + 1)
      for given in before.given + links.map({ Given(applicationID: application, link: $0) })
      where !chain.given.contains(given) {
        chain.given.append(given)
      }
    }
    chains[first] = chain
    if expiries.count > limits.rememberedStarts { forgetFirst() }
  }

  /// Forgets all starts that are too old.
  mutating func forget(before now: UInt64) {
    while let first = expiries.first, first.time <= now { forgetFirst() }
  }

  private mutating func forgetFirst() {
    if let expiry = expiries.popFirst() { chains[expiry.event] = nil }
  }
}
