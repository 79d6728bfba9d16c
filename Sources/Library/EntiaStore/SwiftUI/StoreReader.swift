#if canImport(SwiftUI)
  public import SwiftUI

  /// A view that is computed from a store's state. It is computed again after each change of a part
  /// that it read.
  ///
  /// ```swift
  /// StoreReader(store) { state in Text(state.searchText) }     // observes `searchText` only
  /// ```
  public struct StoreReader<State: Sendable, Activity: Sendable, Content: View>: View {
    private let store: Store<State, Activity>
    private let content: (TrackedState<State>) -> Content

    /// Creates a view of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - content: A closure that returns the view of a state. `state.primitive` is the whole
    ///     state.
    public init(
      _ store: Store<State, Activity>,
      @ViewBuilder content: @escaping (TrackedState<State>) -> Content
    ) {
      self.store = store
      self.content = content
    }

    /// The view of the current state.
    public var body: some View { content(TrackedState(store)) }
  }
#endif
