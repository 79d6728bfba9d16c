/// Something that a store or pointer ignored because nobody could be thrown the error.
public struct StoreProblem: Sendable, CustomStringConvertible {
  /// What was ignored.
  public let subject: String
  /// Why.
  public let error: any Error

  init(pointer type: Any.Type, _ error: any Error) {
    subject = "a value set through a pointer to \(type)"
    self.error = error
  }

  init(layer name: String?, _ error: any Error) {
    subject = name.map { "the layer \($0)" } ?? "a layer"
    self.error = error
  }

  init(derived type: Any.Type, _ error: any Error) {
    subject = "a derived \(type)"
    self.error = error
  }

  /// A sentence that says what was ignored, and why.
  public var description: String { "\(subject) was ignored: \(error)" }
}

/// Where a store's problems go: the store's logger, and the handler it was given.
final class ProblemLog: Sendable {
  let handler = Protected<(@Sendable (StoreProblem) -> Void)?>(nil)
  private let logger: StoreLogger?

  init(logger: StoreLogger?) { self.logger = logger }

  func report(_ problem: StoreProblem) {
    logger?.log(.ignored(problem))
    handler.withLock { $0 }?(problem)
  }
}

extension Store {
  /// Says who is told of what the store ignores because nobody could be thrown the error, such as a
  /// value set through a pointer that a constraint refuses. The store's logger is told too.
  ///
  /// - Parameter handler: Is called on the thread that made the problem, with nothing locked;
  ///   `nil` for nobody. It takes the place of the one before.
  public func onProblem(_ handler: (@Sendable (StoreProblem) -> Void)?) {
    let former = core.problems.handler.withLock { current in
      let former = current
      current = handler
      return former
    }
    withExtendedLifetime(former) {}
  }
}
