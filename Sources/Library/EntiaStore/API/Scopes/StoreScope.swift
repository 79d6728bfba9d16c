/// A scope of a store, which reads, changes and observes only a part of the store's state.
///
/// ```swift
/// let settings = store.scope(\.settings)
/// settings.commit { $0.isDark = true }             // a commit of the store
/// settings.sinkState { settings in … }             // called when the settings have changed
/// ```
///
/// A scope retains the store.
@dynamicMemberLookup
public final class StoreScope<Whole: Sendable, State: Sendable, Activity: Sendable>: Sendable {
  /// A pointer to the part.
  let ref: Ref<State>
  /// The part as a derived value.
  let current: Derived<State>
  /// The store.
  public let store: Store<Whole, Activity>
  /// The key path from the state of the store to the part.
  public let pathInStore: any WritableKeyPath<Whole, State> & Sendable

  init(
    _ store: Store<Whole, Activity>, _ path: any WritableKeyPath<Whole, State> & Sendable
  ) {
    self.store = store
    pathInStore = path
    ref = store.ref(path)
    current = store.derived(.select(path))
  }

  /// The current value of the part. Tracked by Observation.
  public var state: State { current.value }

  /// A member of the part.
  public subscript<Part>(dynamicMember path: KeyPath<State, Part>) -> Part {
    state[keyPath: path]
  }
}

extension StoreScope: StorePart {
  /// The sequence of the part's values, beginning with the current one. A slow loop skips to the
  /// newest value.
  public var states: StoreStates<State> { current.states }

  /// Edits the part inside `whole`, which is a state of the store.
  public func withPart<Result>(
    of whole: inout Whole, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try body(&whole[keyPath: pathInStore])
  }
}

extension StoreScope where State: Equatable {
  /// Undoes the last step that changed the part, in the part alone.
  ///
  /// - Returns: Whether there was a step that changed the part.
  @discardableResult
  public func undo() -> Bool { store.core.undo(pathInStore) }

  /// Redoes the last undo of the part, in the part alone.
  ///
  /// - Returns: Whether there was an undo of the part to redo.
  @discardableResult
  public func redo() -> Bool { store.core.redo(pathInStore) }

  /// Whether any undoable step changed the part.
  public var canUndo: Bool { store.core.canUndo(pathInStore) }

  /// Whether an undo of the part can be redone.
  public var canRedo: Bool { !store.core.history.undone(pathInStore).isEmpty }
}

extension StorePart {
  /// Returns a scope of the store, for code that uses only a part of its state.
  ///
  /// - Returns: A scope, which retains the store.
  public func scope<Part: Sendable>(
    _ path: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<Whole, Part, Activity> {
    StoreScope(store, wholePath(to: path))
  }

  /// Copies a part of this store's state to a part of another store's state: immediately, and after
  /// each change of the source.
  ///
  /// ```swift
  /// session.copy(\.user, to: editor, \.author).storeWhileSourceActive()
  /// ```
  ///
  /// The part is copied before this store's commit returns, unless several threads commit; see
  /// ``DeliveryQueue/passthrough``. Copies in both directions never end if the values can never be
  /// equal, or if two threads commit concurrently.
  ///
  /// - Parameters:
  ///   - part: The key path of the source in this store's state.
  ///   - other: The other store, which is not retained.
  ///   - place: The key path of the destination in the other store's state.
  /// - Returns: The subscription, which ends when it is released.
  public func copy<Part: Equatable & Sendable, OtherState, OtherActivity>(
    _ part: any KeyPath<State, Part> & Sendable, to other: Store<OtherState, OtherActivity>,
    _ place: any WritableKeyPath<OtherState, Part> & Sendable
  ) -> StoreSubscription {
    derived(.select(part)).sinkState(queue: .passthrough) { [weak other] value in
      other?.commit { $0[keyPath: place] = value.primitive }
    }
  }
}
