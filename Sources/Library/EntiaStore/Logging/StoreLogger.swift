/// A logger of the events in a store.
///
/// ```swift
/// let store = Store<AppState, Never>(
///   initialState: .init(), logger: StoreLogger { print($0) })
/// ```
public struct StoreLogger: Sendable {
  /// An event in a store.
  public enum Entry: Sendable {
    /// A commit ended without throwing.
    case committed(StoreCommit)
    /// A middleware refused a commit, and the state is unchanged.
    case refused(name: String?, error: any Error)
    /// A task of the store threw an error.
    case taskFailed(key: StoreTaskKey, error: any Error)
    /// A failed operation was ignored because it cannot throw, such as setting a value through a
    /// pointer.
    case ignored(StoreProblem)
  }

  let log: @Sendable (Entry) -> Void

  /// Creates a logger from a closure. The closure is called on the thread of the event, without a
  /// lock and after the commit lock is released.
  public init(_ log: @escaping @Sendable (Entry) -> Void) { self.log = log }
}
