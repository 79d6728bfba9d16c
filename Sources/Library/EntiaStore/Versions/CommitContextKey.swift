/// A key of a custom value that a commit passes to its observers.
///
/// ```swift
/// enum Origin: CommitContextKey { static let defaultValue = "user" }
///
/// store.commit("Load", context: CommitContext().with(Origin.self, "server")) { … }
/// store.sinkState { state in print(state.context[Origin.self]) }
/// ```
public protocol CommitContextKey {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The value of commits that do not set one.
  static var defaultValue: Value { get }
}
