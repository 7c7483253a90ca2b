/// The connections that wait for their turn, each once, in the order in which they came.
struct TurnQueue {
  private var connections: [Connection] = []
  /// Where the first one is; those before it have had their turn.
  private var head = 0

  var isEmpty: Bool { head == connections.count }

  mutating func append(_ connection: Connection) {
    guard !connection.waitsForTurn else { return }
    connection.waitsForTurn = true
    connections.append(connection)
  }

  mutating func takeFirst() -> Connection? {
    guard head < connections.count else { return nil }
    let connection = connections[head]
    connection.waitsForTurn = false
    head += 1
    // What had its turn is dropped half by half, also if there is always somebody who waits.
    if head == connections.count {
      connections.removeAll(keepingCapacity: true)
      head = 0
    } else if head * 2 > connections.count {
      connections.removeFirst(head)
      head = 0
    }
    return connection
  }
}
