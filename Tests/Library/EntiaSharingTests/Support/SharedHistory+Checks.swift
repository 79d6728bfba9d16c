import EntiaDatabase
import EntiaSharedState
import EntiaStore

@testable import EntiaSharing

// What a history has led to.
extension SharedHistory {
  /// The number of rejected batches, of merges of all waiting batches at once, of reloads, of
  /// batches that waited when their process was killed, and of batches that were rejected with an
  /// earlier one that they need.
  func events() async -> [Int] {
    var events = [0, 0, 0, restoredCount.withLock { $0 }, 0]
    for client in clients {
      events[0] += client.rejected.count
      let names = Set(client.rejected.compactMap(\.batch.name))
      events[4] += dependents.withLock { dependents in
        dependents.joined().filter {
          names.contains($0.value.name) && names.contains($0.value.earlier)
        }.count
      }
      events[1] += await client.worker.part.work.compositions
      events[2] += client.log.count(of: .load)
    }
    return events
  }

  /// Each batch is either once in the log, or was rejected once.
  func checkCounts() throws {
    let processes = processes.withLock { $0 }
    // A client that starts again pushes an empty one under a name of its own, so that no push of
    // its former process can follow.
    for batch in space.log where batch.changes.isEmpty {
      for ids in processes where ids.contains(where: { $0 == batch.client }) {
        throw HistoryFailure("version \(batch.version) has no changes")
      }
    }
    for (index, client) in clients.enumerated() {
      let logged = space.log.flatMap(\.origins).filter { processes[index].contains($0.client) }
      for (client, origins) in Dictionary(grouping: logged, by: \.client) {
        let numbers = origins.map(\.mutation)
        guard numbers == numbers.sorted(), Set(numbers).count == numbers.count else {
          throw HistoryFailure(
            "process \(client) of client \(index) has batches twice or in another order: \(numbers)"
          )
        }
      }
      let rejected =
        formerRejections.withLock { $0[index] } + client.rejected.compactMap(\.batch.name)
      for (origin, ticket) in tickets.withLock({ $0[index] }) {
        let count = logged.filter { $0 == origin }.count + rejected.filter { $0 == ticket }.count
        // A batch that was committed may be lost by a restore.
        let isLost = space.lost.contains(origin)
        guard count == 1 || (count == 0 && isLost) else {
          throw HistoryFailure(
            "batch \(ticket) of client \(index) was committed or rejected \(count) times")
        }
      }
    }
  }

  /// A batch in the log has all rows that needed an earlier batch of its client, which only this
  /// client removes: if the earlier batch was rejected, so was this one.
  func checkDependents() throws {
    // After a restore, rows of earlier batches are missing without a rejection.
    guard space.lost.isEmpty else { return }
    for batch in space.log {
      guard let origin = batch.origins.first,
        let dependent = dependents.withLock({ $0.lazy.compactMap { $0[origin] }.first })
      else { continue }
      var rows: [String: String] = [:]
      Subject.replay(batch.changes, on: &rows)
      for (id, row) in dependent.rows where rows[id] != row {
        throw HistoryFailure(
          """
          batch \(dependent.name), which needs \(dependent.earlier), is in the log with \
          \(rows[id] ?? "nothing") instead of \(row)
          """)
      }
    }
  }

  /// The rows are those of a dictionary to which the log is applied.
  func checkModel() throws {
    var rows = Subject.rows(space.version(0))
    for batch in space.log { Subject.replay(batch.changes, on: &rows) }
    guard rows == Subject.rows(space.newest) else {
      throw HistoryFailure("the log does not lead to the rows")
    }
  }
}
