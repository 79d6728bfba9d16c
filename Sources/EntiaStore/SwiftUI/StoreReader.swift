#if canImport(SwiftUI)
  public import SwiftUI

  /// A view made of a store's state, made again when what it read of it has changed.
  ///
  /// ```swift
  /// StoreReader(store) { state in Text(state.searchText) }
  /// ```
  public struct StoreReader<State: Sendable, Activity: Sendable, Content: View>: View {
    private let store: Store<State, Activity>
    private let content: (State) -> Content

    /// Makes a view of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - content: Makes the view of its state.
    public init(
      _ store: Store<State, Activity>, @ViewBuilder content: @escaping (State) -> Content
    ) {
      self.store = store
      self.content = content
    }

    /// The view of the state.
    public var body: some View { content(store.state) }
  }
#endif
