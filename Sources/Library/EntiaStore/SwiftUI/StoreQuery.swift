#if canImport(SwiftUI)
  public import EntiaDatabase
  public import SwiftUI

  /// The entities that match a fetch descriptor, for a view.
  ///
  /// ```swift
  /// struct BookList: View {
  ///   @StoreQuery(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: \AppState.library)
  ///   var books
  ///
  ///   var body: some View { List(books) { book in Text(book.title) } }
  /// }
  ///
  /// BookList().environment(store)
  /// ```
  ///
  /// The view is updated when the result has changed. The view retains the query. When SwiftUI
  /// evaluates the view's declaration again, a new query replaces the old one. If the two
  /// descriptors are equal, the new query shares the result of the old one. A descriptor with a
  /// closure equals no other, so a query with a closure is fetched again.
  @propertyWrapper
  public struct StoreQuery<State: Sendable, Activity: Sendable, Entity: EntityType>: DynamicProperty
  {
    /// A request for a query. Each initializer of `StoreQuery` creates a new object, so the
    /// identity of the request shows whether the property has been declared again.
    private final class Request: Sendable {
      let store: Store<State, Activity>?
      let make: @Sendable (Store<State, Activity>) -> LiveQuery<Entity>

      init(
        _ store: Store<State, Activity>?,
        _ make: @escaping @Sendable (Store<State, Activity>) -> LiveQuery<Entity>
      ) {
        self.store = store
        self.make = make
      }
    }

    /// The query of the most recent request.
    private final class Holder {
      private var last: (request: Request, store: Store<State, Activity>, query: LiveQuery<Entity>)?

      func query(_ request: Request, in store: Store<State, Activity>) -> LiveQuery<Entity> {
        if let last, last.request === request, last.store === store { return last.query }
        let query = request.make(store)
        last = (request, store, query)
        return query
      }
    }

    @Environment(Store<State, Activity>.self) private var environmentStore
    @SwiftUI.State private var holder = Holder()
    private let request: Request

    /// Creates a query of a database in the state of the environment's store.
    ///
    /// - Parameters:
    ///   - descriptor: The fetch descriptor.
    ///   - path: The key path of the database in the state.
    ///   - store: The type of the store that was passed to `.environment(store)`.
    public init<Storage: NormalizedStorageType>(
      _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable,
      of store: Store<State, Activity>.Type
    ) {
      request = Request(nil) { $0.query(descriptor, in: path) }
    }

    /// Creates a query of a database in the state of a store.
    ///
    /// - Parameters:
    ///   - descriptor: The fetch descriptor.
    ///   - path: The key path of the database in the state.
    ///   - store: The store.
    public init<Storage: NormalizedStorageType>(
      _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable,
      of store: Store<State, Activity>
    ) {
      request = Request(store) { $0.query(descriptor, in: path) }
    }

    /// The entities that match now, in order.
    @MainActor public var wrappedValue: [Entity] { projectedValue.value }

    /// The live query, for its differences, groups and sections.
    @MainActor public var projectedValue: LiveQuery<Entity> {
      holder.query(request, in: request.store ?? environmentStore)
    }
  }

  extension StoreQuery where Activity == Never {
    /// Creates a query of a database in the state of the environment's store.
    ///
    /// - Parameters:
    ///   - descriptor: The fetch descriptor.
    ///   - path: The key path of the database in the state.
    public init<Storage: NormalizedStorageType>(
      _ descriptor: FetchDescriptor<Entity>, in path: any KeyPath<State, Storage> & Sendable
    ) {
      self.init(descriptor, in: path, of: Store<State, Never>.self)
    }
  }
#endif

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
