/// Keeps a link from going in circles between programs that hand links on, such as one that asks which browser to use.
///
/// A link that a started program sends back must not come back to it, nor to programs that handed it on earlier. For
/// each event that started a program, an entry has what all these programs were started with. Everything that a program
/// starts inherits the event's id, so most events with this id are about other links, which may go to the program. An
/// entry is forgotten with the `eventId`; the program is assumed not to send the link back later.
struct StartMemory {
  /// The hash of what makes a link, or the content of an activity, equal to others.
  struct Link: Hashable {
    private let hash: Int

    static func names(of event: Event, machineName: [UInt8]) -> [Link] {
      switch event.content {
      case .url(let url):
        [url, event.resolvedURL].compactMap { $0.map { Link(ShownURL($0, machineName: machineName)) } }
      case .activity(let activity): [Link(activity)]
      }
    }

    private init(_ content: some Hashable) { hash = content.hashValue }
  }

  private struct Given: Hashable {
    var applicationID: String
    var link: Link
  }

  /// What programs were started with, each but the first because the one before handed on.
  private struct Chain {
    var given: [Given] = []
    var length = 0
    /// By the last program, or by one that it started.
    var sent: [Link] = []

    /// Also if a link has been sent so often that it seems to go in circles.
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
  private var expiries = Queue<Expiry>()

  /// Those that were started with this link, or all of the chain if it is too long.
  func applications(passedOverFor links: [Link], from origin: DecisionID, _ limits: Limits) -> [String] {
    guard let chain = chains[origin] else { return [] }
    let isTooLong = chain.isTooLong(before: links, limits)
    return chain.given.filter { isTooLong || links.contains($0.link) }.map(\.applicationID)
  }

  mutating func noteSent(_ links: [Link], from origin: DecisionID, _ limits: Limits) {
    guard let link = links.first, chains[origin]?.sent.count ?? .max <= limits.linksOfStart else { return }
    chains[origin]?.sent.append(link)
  }

  /// The entry is that of the first event, because the program knows only this one.
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

  mutating func forget(before now: UInt64) {
    while let first = expiries.first, first.time <= now { forgetFirst() }
  }

  private mutating func forgetFirst() {
    if let expiry = expiries.popFirst() { chains[expiry.event] = nil }
  }
}
