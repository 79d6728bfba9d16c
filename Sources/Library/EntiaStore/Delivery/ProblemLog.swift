/// Reports a store's problems to the store's logger and to its observers of problems.
///
/// In debug builds, the first problem is printed if the store has neither a logger nor an observer.
final class ProblemLog: SubscriptionOwner {
  private struct Observer {
    let id: UInt64
    let receive: @Sendable (StoreProblem) -> Void
    /// The subscription, if it lasts as long as the store; otherwise `nil`.
    var kept: StoreSubscription?
  }

  private struct Observers {
    var all: [Observer] = []
    var lastID: UInt64 = 0
  }

  private let observers = Mutex(Observers())
  /// Prints a problem if there is no logger and no observer.
  let printer = Mutex<@Sendable (String) -> Void>({ print($0) })
  private let logger: StoreLogger?
  private let isPrinted = Mutex(false)

  init(logger: StoreLogger?) { self.logger = logger }

  func add(_ receive: @escaping @Sendable (StoreProblem) -> Void) -> StoreSubscription {
    let id = observers.withLock { observers in
      observers.lastID += 1
      observers.all.append(Observer(id: observers.lastID, receive: receive))
      return observers.lastID
    }
    return StoreSubscription(id: id, owner: self)
  }

  func end(_ id: UInt64) {
    observers.release { observers in
      let index = observers.all.firstIndex { $0.id == id }
      return index.map { observers.all.remove(at: $0) }
    }
  }

  func keep(_ subscription: StoreSubscription, _ id: UInt64) {
    observers.withLock { observers in
      guard let index = observers.all.firstIndex(where: { $0.id == id }) else { return }
      observers.all[index].kept = subscription
    }
  }

  func report(_ problem: StoreProblem) {
    logger?.log(.ignored(problem))
    handle(problem)
  }

  /// Reports a refused commit, for which the logger has a separate entry.
  func reportRefusal(_ problem: StoreProblem) { handle(problem) }

  private func handle(_ problem: StoreProblem) {
    let observers = observers.withLock { $0.all }
    if !observers.isEmpty {
      for observer in observers { observer.receive(problem) }
      return
    }
    #if DEBUG
      if logger != nil { return }
      let isFirst = isPrinted.withLock { isPrinted in
        defer { isPrinted = true }
        return !isPrinted
      }
      if isFirst {
        printer.withLock { $0 }(
          "Entia: \(problem). Set `onProblem` or a logger to be notified of every such problem.")
      }
    #endif
  }
}
