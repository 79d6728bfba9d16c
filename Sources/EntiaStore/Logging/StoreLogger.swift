/// Is told what happens in a store.
///
/// ```swift
/// let store = Store<AppState, Never>(
///   initialState: .init(), logger: StoreLogger { print($0) })
/// ```
public struct StoreLogger: Sendable {
  /// What a store has to tell.
  public enum Entry: Sendable {
    /// A commit ended without throwing.
    case committed(StoreCommit)
    /// A middleware refused a commit, which left the state as it was.
    case refused(name: String?, error: any Error)
    /// A task of the store threw.
    case taskFailed(key: StoreTaskKey, error: any Error)
    /// Something was ignored that could not be thrown, such as a value set through a pointer.
    case ignored(StoreProblem)
  }

  let log: @Sendable (Entry) -> Void

  /// Makes a logger of a closure, which is called on the thread where it happens, without a lock and
  /// after the commit's turn.
  public init(_ log: @escaping @Sendable (Entry) -> Void) { self.log = log }
}
