import Entia
import EntiaPostgreSQL
import Foundation

/// A store whose board is shared with the other processes.
final class Worker: StoreComponentType {
  let store: Store<AppState, Never>
  private let name: String
  private let shared: SharedDatabase<Board>
  private let sharing: DatabaseSharing<Board>

  init(_ name: String, connecting connection: String) async throws {
    self.name = name
    shared = try await SharedDatabase<Board>(connecting: connection, space: "entia-example")
    store = Store(initialState: AppState(board: try await shared.load()))
    sharing = try store.share(\.board, through: shared)
    // Another worker claimed the job first. The loop of `work` looks at the result.
    sharing.onRejection { _, _ in }
  }

  /// Puts jobs on the board that no worker has claimed.
  func reset(to count: Int) async throws {
    batch(\.board, "Reset") { tables in
      tables.jobs.removeAll()
      for id in 1...count { tables.jobs.insert(Job(id: id)) }
    }
    try await sharing.settled()
  }

  /// Claims free jobs, one after another, until there is none.
  func work() async throws {
    let free = FetchDescriptor<Job>(predicate: #Predicate { $0.worker == nil })
    while let job = state.board.first(free) {
      batch(\.board, "Claim job \(job.id)") { $0.jobs[job.entityID]?.worker = name }
      try await sharing.settled()
      if state.board.jobs.find(by: job.entityID)?.worker == name {
        // The job is ours, and no other process has it: this is the place to do it.
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }

  /// What this process knows about the board.
  var report: String {
    let claimed = state.board.jobs.filter { $0.worker != nil }.count
    return "\(name): \(claimed) of \(state.board.jobs.count) jobs are claimed"
  }

  func close() async {
    sharing.close()
    await shared.close()
  }
}
