/// A failed operation of a store or pointer that was ignored because it cannot throw.
public struct StoreProblem: Sendable, CustomStringConvertible {
  /// The ignored operation.
  public let subject: String
  /// The reason.
  public let error: any Error

  init(pointer type: Any.Type, _ error: any Error) {
    subject = "a value set through a pointer to \(type)"
    self.error = error
  }

  init(layer name: String?, _ error: any Error) {
    subject = name.map { "the layer \($0)" } ?? "a layer"
    self.error = error
  }

  init(replayed commit: String?, _ error: any Error) {
    subject = commit.map { "the replay of the commit \($0)" } ?? "the replay of a commit"
    self.error = error
  }

  init(undone step: String?, _ error: any Error) {
    subject = step.map { "a part of the step \($0)" } ?? "a part of a step"
    self.error = error
  }

  init(derived type: Any.Type, _ error: any Error) {
    subject = "a derived \(type)"
    self.error = error
  }

  init(commit name: String?, _ error: any Error) {
    subject = name.map { "the commit \($0)" } ?? "a commit"
    self.error = error
  }

  /// A description of the ignored operation and the reason.
  public var description: String { "\(subject) was ignored: \(error)" }
}

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
