import EntiaCoding
import EntiaDatabase
import EntiaStore

// Storing the waiting batches in the outbox.
extension SharingWorker {
  /// Encodes the batches that were appended to the part since the last call, with the current
  /// confirmed version of the part as their base.
  func noteNew() {
    guard outbox != nil else { return }
    unstored += lines(after: storingNumber)
    storingNumber = max(storingNumber, part.waiting.last?.number ?? 0)
  }

  /// Returns the waiting batches whose numbers are greater than `number`, as lines of the outbox.
  /// The base of each batch is the confirmed version of the part.
  private func lines(after number: Int64) -> [(number: Int64, line: JSONValue)] {
    var lines: [(number: Int64, line: JSONValue)] = []
    for batch in part.waiting(after: number) {
      let stored = OutboxBatch<Storage>(
        number: batch.number, client: client(of: batch.number), name: batch.name,
        base: part.confirmed.position, changes: batch.new.changes(since: batch.old))
      do {
        if let line = try outbox?.line(of: stored) { lines.append((batch.number, line)) }
      } catch {
        // The batch is not stored. Pushing it throws the same error, and rejects the batch.
        unencodable.append(batch.number)
      }
    }
    return lines
  }

  /// Replaces the stored batches with the waiting batches after a rejection. The rejection has
  /// rebased the waiting batches onto the confirmed version.
  func replaceStored() {
    unstored = []
    unencodable = []
    outboxFailure = outbox?.replace(
      lines(after: 0), finished: part.finishedNumber, last: part.lastNumber)
  }

  /// Stores the batches that are not yet in the outbox.
  /// - Throws: `SharedDatabaseError.outboxFailed`.
  func store() throws {
    guard let outbox else { return }
    if !unstored.isEmpty {
      try outbox.store(unstored)
      unstored = []
      outboxFailure = nil
    } else if outboxFailure != nil {
      outboxFailure = outbox.finish(
        through: part.finishedNumber, last: part.lastNumber, isDurable: true)
    }
    if let outboxFailure { throw outboxFailure }
    unencodable.removeAll { $0 <= part.finishedNumber }
    engine.noteStored(unencodable.first.map { $0 - 1 } ?? part.lastNumber)
  }

  /// Takes the recorded batches and stores them. Works without a connection to the server.
  /// - Throws: `SharedDatabaseError.outboxFailed`.
  func storeRecorded() throws {
    guard outbox != nil, restoring.isEmpty else { return }
    takeRecorded()
    try store()
  }
}
