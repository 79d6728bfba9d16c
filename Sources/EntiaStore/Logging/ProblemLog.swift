/// Reports a store's problems to the store's logger and to its problem handler.
///
/// In debug builds the first problem of a store without a logger and a handler is printed.
final class ProblemLog: Sendable {
  let handler = Mutex<(@Sendable (StoreProblem) -> Void)?>(nil)
  /// Prints a problem if there is no logger and no handler.
  let printer = Mutex<@Sendable (String) -> Void>({ print($0) })
  private let logger: StoreLogger?
  private let isPrinted = Mutex(false)

  init(logger: StoreLogger?) { self.logger = logger }

  func report(_ problem: StoreProblem) {
    logger?.log(.ignored(problem))
    handle(problem)
  }

  /// Reports a refused commit, for which the logger has a separate entry.
  func reportRefusal(_ problem: StoreProblem) { handle(problem) }

  private func handle(_ problem: StoreProblem) {
    if let handler = handler.withLock({ $0 }) { return handler(problem) }
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
