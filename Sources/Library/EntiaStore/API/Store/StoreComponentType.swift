/// A type built around a store, such as a view model: it offers everything that its store offers.
///
/// ```swift
/// final class Counter: StoreComponentType {
///   struct State: Equatable { var count = 0 }
///   let store: Store<State, Never> = .init(initialState: .init())
///   func increment() { commit { $0.count += 1 } }
/// }
/// ```
///
/// A store is a component whose store is itself, so a function that takes any component takes a
/// store too.
public protocol StoreComponentType<State, Activity>: StateObservable {
  /// The state of the store.
  associatedtype State
  /// The type of the activities that the store sends.
  associatedtype Activity: Sendable

  /// The store that everything is forwarded to.
  var store: Store<State, Activity> { get }
}

extension StoreComponentType {
  /// The current state of the store; inside a commit, the state before it.
  public var state: State { store.state }

  /// The sequence of states, beginning with the current one. A slow loop skips to the newest state.
  public var states: StoreStates<State> { StoreStates(store.core) }
}

extension Store: StoreComponentType {
  /// The store itself.
  @inlinable public var store: Store { self }
}
