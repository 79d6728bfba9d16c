import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaStore
import Foundation

@testable import EntiaSharing

enum HistoryFault: CaseIterable {
  case lostCall
  case lostAnswer
  case lateCall
  case shortPage
  case stale
  case edited
  case trim
  case restore
}

struct HistoryFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The end of a history in which a restore took back a batch whose client did not know the outcome,
/// and pushed it again as the same version, but after other batches. No client can tell the two.
struct UndecidedHistory: Error {}

/// A batch that needs an earlier batch of the same client.
struct Dependent {
  let name: String
  let earlier: String
  /// The rows that the batch wrote, by their types and IDs.
  let rows: [String: String]
}

/// A random history of clients on one space. Steps of other clients are taken between and inside
/// the calls of each.
final class SharedHistory<Subject: SharedSubject>: Sendable {
  typealias Storage = Subject.Storage

  let space: MemorySpace<Storage>
  private let current: Mutex<[ManualClient<Storage>]>
  let step = Mutex(0)
  private let faults: [HistoryFault]
  private let random: Mutex<SeededGenerator>
  /// The clients whose worker is running.
  private let running = Mutex<Set<Int>>([])
  private let isHealed = Mutex(false)
  /// The batches with tickets of each client, and their tickets.
  let tickets: Mutex<[[BatchOrigin: String]]>
  /// The batches that need an earlier batch of their client, and the rows that they wrote.
  let dependents: Mutex<[[BatchOrigin: Dependent]]>
  /// The IDs of the processes of each client.
  let processes: Mutex<[[ClientID]]>
  /// The optimistic layer of each client, if it has one.
  private let layers: Mutex<[Int: (name: String, layer: StoreLayer<SharedState<Storage>>)]>
  private let subscriptions = Mutex<[StoreSubscription]>([])
  private let problems = Mutex<[String]>([])
  private let merge: ThreeWayMerge<Storage>
  /// The outboxes of the clients, which are then killed now and then.
  private let outboxes: OutboxFolder?
  /// The names of the batches that were rejected before each client was killed.
  let formerRejections: Mutex<[[String]]>
  let restoredCount = Mutex(0)

  var clients: [ManualClient<Storage>] { current.withLock { $0 } }

  init(
    seed: UInt64, merge: ThreeWayMerge<Storage>, faults: [HistoryFault], kills: Bool = false
  ) throws {
    self.faults = faults
    self.merge = merge
    let outboxes = kills ? try OutboxFolder() : nil
    self.outboxes = outboxes
    var random = SeededGenerator(seed: seed)
    let count = random.number(in: 2..<5)
    self.random = Mutex(random)
    let space = MemorySpace(Subject.makeStorage())
    let clients = try (0..<count).map {
      try ManualClient(space, merge: merge, outbox: outboxes?.url(of: $0))
    }
    self.space = space
    current = Mutex(clients)
    tickets = Mutex(Array(repeating: [:], count: count))
    dependents = Mutex(Array(repeating: [:], count: count))
    processes = Mutex(clients.map { [$0.worker.client] })
    formerRejections = Mutex(Array(repeating: [], count: count))
    layers = Mutex([:])
    for index in clients.indices { observe(index) }
  }

  private func observe(_ index: Int) {
    let client = clients[index]
    let subscription = client.store.sinkState(queue: .passthrough) { [problems] state in
      let names = Subject.tickets(state.storage).map { ($0, 1) }
      let counts = Dictionary(names, uniquingKeysWith: +)
      problems.withLock { $0 += counts.filter { $1 != 2 }.map { "half of batch \($0.key)" } }
    }
    subscriptions.withLock { $0.append(subscription) }
    client.log.setPlan { [weak self] call, isAnswered in
      await self?.fault(for: index, call, isAnswered)
    }
  }

  /// Ends a client at once, also in the middle of a call, and starts it again with what its outbox
  /// has.
  private func kill(_ index: Int, in outboxes: OutboxFolder) throws {
    let former = clients[index]
    let stored = former.engine.storedNumber
    let backup = oneIn(3) ? try outboxes.restore(index) : nil
    let url = try backup ?? outboxes.copy(of: index)
    if backup == nil, oneIn(2) { try outboxes.backUp(index) }
    former.engine.close()
    formerRejections.withLock { $0[index] += former.rejected.compactMap(\.batch.name) }
    _ = layers.withLock { $0.removeValue(forKey: index) }
    let client = try ManualClient(space, merge: merge, outbox: url)
    restoredCount.withLock { $0 += client.engine.waitingBatches }
    current.withLock { $0[index] = client }
    running.withLock { _ = $0.remove(index) }
    observe(index)
    processes.withLock { $0[index].append(client.worker.client) }
    if backup != nil { return forgetLostTickets(index, client) }
    // A batch that was not stored is lost, and its number is free.
    let last = client.engine.recordedNumber
    guard last >= stored else { throw HistoryFailure("stored batches of client \(index) are lost") }
    tickets.withLock { $0[index] = $0[index].filter { $0.key.mutation <= last } }
    dependents.withLock { $0[index] = $0[index].filter { $0.key.mutation <= last } }
  }

  /// Forgets the batches that are unknown after an outbox was replaced by its backup: those that it
  /// does not have and that were not pushed, and those that were rejected since.
  private func forgetLostTickets(_ index: Int, _ client: ManualClient<Storage>) {
    let stored = client.engine.outbox?.restored.map {
      BatchOrigin(client: $0.client, mutation: $0.number)
    }
    let known = Set(stored ?? []).union(space.log.flatMap(\.origins)).union(space.lost)
    let rejected = Set(formerRejections.withLock { $0[index] })
    tickets.withLock { tickets in
      tickets[index] = tickets[index].filter {
        known.contains($0.key) && !rejected.contains($0.value)
      }
    }
  }

  /// The origin of the last batch that a client recorded.
  private func lastOrigin(of client: ManualClient<Storage>) -> BatchOrigin {
    BatchOrigin(client: client.worker.client, mutation: client.engine.recordedNumber)
  }

  private func number(in range: Range<Int>) -> Int { random.withLock { $0.number(in: range) } }
  private func oneIn(_ count: Int) -> Bool { random.withLock { $0.oneIn(count) } }

  /// Takes a random step.
  func advance() async {
    let index = number(in: 0..<clients.count)
    let client = clients[index]
    switch number(in: 0..<15) {
    case 0..<5: commit(index)
    case 5:
      // A burst that is rebased as one.
      for _ in 0..<number(in: 8..<20) { commit(index) }
    case 6: if oneIn(2) { _ = client.store.undo() } else { _ = client.store.redo() }
    case 7: if oneIn(2) { changeLayer(index) } else { client.store.commit { $0.other += 1 } }
    case 8:
      client.endPause()
      if let outboxes, oneIn(2) {
        do {
          try kill(index, in: outboxes)
        } catch {
          problems.withLock { $0.append("\(error)") }
        }
      }
    case 9: if faults.contains(.trim) { space.trim() }
    case 10: space.receiveLatePushes()
    case 11:
      if faults.contains(.restore), oneIn(2) {
        space.restore(to: max(0, space.current - Int64(number(in: 1..<6))))
      }
    default:
      if oneIn(2) { client.engine.noteHint(oneIn(2) ? 0 : space.current) }
      if oneIn(2) { client.endPause() }
      await run(index)
    }
  }

  private func run(_ index: Int) async {
    guard running.withLock({ $0.insert(index).inserted }) else { return }
    let client = clients[index]
    await client.run()
    // It may have been killed meanwhile.
    if clients[index] === client { running.withLock { _ = $0.remove(index) } }
  }

  private func commit(_ index: Int) {
    let store = clients[index].store
    let before = clients[index].engine.recordedNumber
    let name = "\(index)-\(before)-\(number(in: 0..<1_000))"
    let edits = number(in: 0..<3)
    let former = oneIn(2) ? tickets.withLock { Array($0[index].values.sorted().suffix(20)) } : []
    let earlier = former.isEmpty ? nil : former[number(in: 0..<former.count)]
    let kind = number(in: 0..<8)
    var written: [String: String]?
    do {
      try store.tryCommit(name) { state in
        try state.storage.performBatchUpdates { context in
          Subject.insertTickets(name, &context)
          if let earlier {
            written = Subject.writeDependents(name, of: earlier, kind: kind, &context)
          }
          for _ in 0..<edits {
            var random = self.random.withLock { $0 }
            defer { self.random.withLock { [random] in $0 = random } }
            try Subject.edit(&context, using: &random)
          }
        }
      }
    } catch {
      // Refused locally: nothing is shared.
      return
    }
    let origin = lastOrigin(of: clients[index])
    tickets.withLock { $0[index][origin] = name }
    if let earlier, let written {
      let dependent = Dependent(name: name, earlier: earlier, rows: written)
      dependents.withLock { $0[index][origin] = dependent }
    }
  }

  /// Adds an optimistic layer, or ends the one that there is.
  private func changeLayer(_ index: Int) {
    let store = clients[index].store
    if let (name, layer) = layers.withLock({ $0.removeValue(forKey: index) }) {
      do {
        if oneIn(2) { throw CancellationError() }
        try layer.confirm()
        let origin = lastOrigin(of: clients[index])
        tickets.withLock { $0[index][origin] = name }
      } catch {
        layer.rollBack()
      }
      return
    }
    let number = number(in: 0..<1_000)
    let name = "\(index)-\(clients[index].engine.recordedNumber)-\(number + 1_000)"
    let seed = UInt64(number)
    do {
      let layer = try store.addLayer(name) { state in
        try state.storage.performBatchUpdates { context in
          var random = SeededGenerator(seed: seed)
          Subject.insertTickets(name, &context)
          try Subject.edit(&context, using: &random)
        }
      }
      layers.withLock { $0[index] = (name, layer) }
    } catch {
      // The edit is refused on the current state.
      return
    }
  }

  private func fault(
    for index: Int, _ call: MemoryLog<Storage>.Call, _ isAnswered: Bool
  ) async -> MemoryLog<Storage>.Fault? {
    if isHealed.withLock({ $0 }) { return nil }
    if oneIn(4) { await advance() }
    if isAnswered { return nil }
    if !oneIn(3) { return nil }
    switch faults[number(in: 0..<faults.count)] {
    case .lostCall: return .lostCall
    case .lostAnswer: return .lostAnswer
    case .lateCall: return .lateCall
    case .shortPage: return .shortPage
    case .stale: return .stale
    case .edited: return .edited
    case .trim, .restore: return nil
    }
  }

  /// Checks the clients between two steps.
  func check() async throws {
    if let problem = space.problems.first { throw HistoryFailure(problem) }
    if let problem = problems.withLock({ $0.first }) { throw HistoryFailure(problem) }
    for (index, client) in clients.enumerated() {
      let part = await client.worker.part
      guard let expected = space.version(at: part.confirmed.position) else {
        throw HistoryFailure("client \(index) has a version that there never was")
      }
      guard part.confirmed.storage == expected else {
        if space.hasRepeatedBatch(through: part.confirmed.version) { throw UndecidedHistory() }
        throw HistoryFailure(
          """
          client \(index) has confirmed something else as version \(part.confirmed.version): \
          \(part.confirmed.storage.changes(since: expected).debugDescription)
          """)
      }
      guard part.finishedNumber == client.engine.recordedNumber else { continue }
      let shown = client.store.committedState.storage
      guard shown == expected else {
        throw HistoryFailure(
          """
          client \(index) shows something else without waiting batches: \
          \(shown.changes(since: expected).debugDescription)
          """)
      }
    }
  }

  /// Ends the faults, lets all clients finish, and checks what they have in common.
  func finish() async throws {
    isHealed.withLock { $0 = true }
    space.receiveLatePushes()
    for _ in 0..<4 {
      for index in clients.indices {
        clients[index].endPause()
        clients[index].engine.noteHint(0)
        await run(index)
      }
    }
    try await check()
    let newest = space.newest
    for (index, client) in clients.enumerated() {
      let shown = client.store.committedState.storage
      guard shown == newest else {
        throw HistoryFailure(
          """
          client \(index) has not converged: \
          \(shown.changes(since: newest).debugDescription)
          """)
      }
      guard client.engine.status == .live else {
        throw HistoryFailure("client \(index) is \(client.engine.status)")
      }
      try await client.engine.settled()
    }
    try checkCounts()
    try checkDependents()
    try checkModel()
  }
}
