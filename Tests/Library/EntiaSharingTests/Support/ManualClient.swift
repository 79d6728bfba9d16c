import EntiaDatabase
import EntiaSharedState
import EntiaStore
import Foundation

@testable import EntiaSharing

/// A client whose worker runs only when a test calls it.
final class ManualClient<Storage: NormalizedStorageType>: Sendable {
  let log: MemoryLog<Storage>
  let store: SharedStore<Storage>
  let engine: SharingEngine<Storage>
  let worker: SharingWorker<Storage>
  private let timers: Mutex<[(delay: Duration, body: @Sendable () -> Void)]>
  private let problems = Mutex<[String]>([])
  private let rejections = Mutex<[(batch: SharedBatch<Storage>, error: any Error)]>([])

  init(
    _ space: MemorySpace<Storage>, merge: ThreeWayMerge<Storage> = ThreeWayMerge(),
    middleware: [StoreMiddleware<SharedState<Storage>>] = [], outbox: URL? = nil,
    log loaded: MemoryLog<Storage>? = nil
  ) throws {
    log = loaded ?? MemoryLog(space)
    let timers = Mutex<[(delay: Duration, body: @Sendable () -> Void)]>([])
    self.timers = timers
    store = SharedStore(
      initialState: SharedState(storage: log.lastLoaded?.storage ?? space.newest),
      middleware: middleware)
    (engine, worker) = try store.prepareSharing(
      \.storage, through: log, merge: merge,
      timer: SharingTimer { delay, body in timers.withLock { $0.append((delay, body)) } },
      outbox: outbox)
    store.onProblem { [problems] problem in problems.withLock { $0.append("\(problem)") } }
      .storeWhileSourceActive()
    engine.setRejectionHandler { [rejections] batch, error in
      rejections.withLock { $0.append((batch, error)) }
    }
  }

  var storage: Storage { store.state.storage }
  var rejected: [(batch: SharedBatch<Storage>, error: any Error)] { rejections.withLock { $0 } }

  /// The problems that were reported to the store.
  var reported: [String] { problems.withLock { $0 } }

  /// Ends the pauses after failures.
  /// - Returns: Their lengths.
  @discardableResult
  func endPause() -> [Duration] {
    let ended = timers.withLock { timers in
      let ended = timers
      timers = []
      return ended
    }
    for (_, body) in ended { body() }
    return ended.map(\.delay)
  }

  /// Runs the worker once.
  func run() async { await engine.runOnce(worker) }

  /// Looks for batches of other clients and runs the worker once.
  func poll() async {
    engine.noteHint(0)
    await run()
  }
}
