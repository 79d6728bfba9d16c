public import EntiaDatabase

/// A scope of a store: it reads, changes and observes only a part of the store's state.
///
/// ```swift
/// let settings = store.scope(\.settings)
/// settings.commit { $0.isDark = true }             // a commit of the store
/// settings.sinkState { settings in … }             // called when the settings have changed
/// ```
///
/// It retains the store.
@dynamicMemberLookup
public final class StoreScope<Whole: Sendable, State: Sendable, Activity: Sendable>: Sendable {
  /// A pointer to the part.
  public let ref: Ref<State>
  /// The part as a derived value.
  public let current: Derived<State>
  let store: Store<Whole, Activity>
  let path: any WritableKeyPath<Whole, State> & Sendable

  init(
    _ store: Store<Whole, Activity>, _ path: any WritableKeyPath<Whole, State> & Sendable
  ) {
    self.store = store
    self.path = path
    ref = store.ref(path)
    current = store.derived(.select(path))
  }

  /// The current value of the part. Tracked by Observation.
  public var state: State { current.value }

  /// A member of the part.
  public subscript<Part>(dynamicMember path: KeyPath<State, Part>) -> Part {
    state[keyPath: path]
  }

  /// Changes the part, like ``Store/commit(_:fileID:line:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the state is then unchanged, and no observer is notified.
  @discardableResult
  public func commit<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    try store.commit(name, fileID: fileID, line: line) { try body(&$0[keyPath: path]) }
  }

  /// Changes the part and throws the refusal of a middleware, like
  /// ``Store/tryCommit(_:fileID:line:_:)``.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure or of a ``StoreMiddleware``; the state is then unchanged,
  ///   and no observer is notified.
  @discardableResult
  public func tryCommit<Result>(
    _ name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    try store.tryCommit(name, fileID: fileID, line: line) { try body(&$0[keyPath: path]) }
  }

  /// Sends an activity to the store's observers of activities.
  public func send(_ activity: Activity) { store.send(activity) }
}

extension StoreScope: StateObservable {
  /// The sequence of the part's values, beginning with the current one. A slow loop skips to the
  /// newest value.
  public var states: StoreStates<State> { current.states }
}

extension StoreScope {

  /// Calls a closure on the main actor with each activity of the store sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: MainActorQueue = .main, receive: @escaping @MainActor @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(queue: queue, receive: receive)
  }

  /// Calls a closure on a queue with each activity of the store sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity(
    queue: DeliveryQueue, receive: @escaping @Sendable (Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(queue: queue, receive: receive)
  }

  /// Calls a closure on an actor with each activity of the store sent from now on.
  ///
  /// - Returns: The subscription, which ends when it is released.
  public func sinkActivity<Place: Actor>(
    on actor: Place, receive: @escaping @Sendable (isolated Place, Activity) -> Void
  ) -> StoreSubscription {
    store.sinkActivity(on: actor, receive: receive)
  }
}

extension StoreScope {
  /// Returns the key path from the state of the store to a part of this part.
  func wholePath<Part>(
    to part: any KeyPath<State, Part> & Sendable
  ) -> any KeyPath<Whole, Part> & Sendable {
    let start: KeyPath<Whole, State> = path
    let end: KeyPath<State, Part> = part
    // The values captured by both key paths are `Sendable`, and the combined key path captures
    // nothing else.
    return unsafeBitCast(
      start.appending(path: end), to: (any KeyPath<Whole, Part> & Sendable).self)
  }

  /// Returns the writable key path from the state of the store to a part of this part.
  func wholePath<Part>(
    to part: any WritableKeyPath<State, Part> & Sendable
  ) -> any WritableKeyPath<Whole, Part> & Sendable {
    let start: WritableKeyPath<Whole, State> = path
    let end: WritableKeyPath<State, Part> = part
    // The values captured by both key paths are `Sendable`, and the combined key path captures
    // nothing else.
    return unsafeBitCast(
      start.appending(path: end), to: (any WritableKeyPath<Whole, Part> & Sendable).self)
  }

  /// Returns the writable key path from the state of the store to a part of this part, for use on
  /// one thread.
  func wholePath<Part>(to part: WritableKeyPath<State, Part>) -> WritableKeyPath<Whole, Part> {
    let start: WritableKeyPath<Whole, State> = path
    return start.appending(path: part)
  }
}

extension StoreScope {
  /// Returns a derived value of the entity that another one's key refers to, in a database in the
  /// part; like the method of ``Store``.
  ///
  /// - Returns: A value that is `nil` while either entity is missing or the key is empty.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToOne<Holder, Target>> & Sendable,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<Target?> {
    store.related(id, relationship, in: wholePath(to: database))
  }

  /// Returns a derived value of the entities that another one's list of keys refers to, in a
  /// database in the part; like the method of ``Store``.
  ///
  /// - Returns: A value with the entities in the order of the list, without missing ones.
  public func related<Storage: NormalizedStorageType, Holder: EntityType, Target: EntityType>(
    _ id: EntityIdentifier<Holder>,
    _ relationship: any KeyPath<Storage.Contents, ToMany<Holder, Target>> & Sendable,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Target]> {
    store.related(id, relationship, in: wholePath(to: database))
  }

  /// Returns a derived value of the entities whose keys refer to an entity, in a database in the
  /// part; like the method of ``Store``.
  ///
  /// - Returns: A value that is empty while the entity is missing.
  public func related<Storage: NormalizedStorageType, Relationship: RelationshipType>(
    _ id: EntityIdentifier<Relationship.Target>,
    inverse relationship: any KeyPath<Storage.Contents, Relationship> & Sendable,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Derived<[Relationship.Holder]> {
    store.related(id, inverse: relationship, in: wholePath(to: database))
  }
}

extension StoreScope {
  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'count' is a method of the scope; read a part of that name as 'scope.state.count'"
  )
  public var count: Int { 0 }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'task' is a method of the scope; read a part of that name as 'scope.state.task'"
  )
  public var task: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'entity' is a method of the scope; read a part of that name as 'scope.state.entity'"
  )
  public var entity: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message:
      "'entities' is a method of the scope; read a part of that name as 'scope.state.entities'"
  )
  public var entities: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'derived' is a method of the scope; read a part of that name as 'scope.state.derived'"
  )
  public var derived: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'query' is a method of the scope; read a part of that name as 'scope.state.query'"
  )
  public var query: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'table' is a method of the scope; read a part of that name as 'scope.state.table'"
  )
  public var table: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'scope' is a method of the scope; read a part of that name as 'scope.state.scope'"
  )
  public var scope: PartToReadFromState { PartToReadFromState() }
}

extension StoreScope {
  /// Returns an entity of a database in the part as a shape, like `Store.resolve(_:of:in:)`.
  ///
  /// - Returns: The shape, or `nil` if the database does not contain the entity.
  public func resolve<Storage: NormalizedStorageType, Shape: EntityShape>(
    _ shape: Shape.Type, of id: Shape.Entity.EntityID,
    in database: any KeyPath<State, Storage> & Sendable
  ) -> Shape? where Shape.Storage == Storage {
    store.resolve(shape, of: id, in: wholePath(to: database))
  }
}

extension StoreScope {
  /// Runs asynchronous work that is canceled when the store is released, like
  /// ``Store/task(key:mode:priority:_:)``. Tasks of the store and of its scopes share their keys.
  ///
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func task<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil,
    @_inheritActorContext
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    store.task(key: key, mode: mode, priority: priority, action)
  }

  /// Runs asynchronous work on no actor, like ``Store/taskDetached(key:mode:priority:_:)``.
  ///
  /// - Returns: The task, which can be awaited, canceled or ignored.
  @discardableResult
  public func taskDetached<Result: Sendable>(
    key: StoreTaskKey = .distinct(), mode: StoreTaskMode = .dropCurrent,
    priority: TaskPriority? = nil, _ action: @escaping @Sendable () async throws -> Result
  ) -> Task<Result, any Error> {
    store.taskDetached(key: key, mode: mode, priority: priority, action)
  }

  /// Cancels the tasks with a key, including those that have not started.
  public func cancelTasks(key: StoreTaskKey) { store.cancelTasks(key: key) }

  /// Cancels all unfinished tasks of the store, including those that were not started by this
  /// scope.
  public func cancelAllTasks() { store.cancelAllTasks() }

  /// Waits for all tasks of the store, like ``Store/waitForAllTasks()``.
  public func waitForAllTasks() async { await store.waitForAllTasks() }
}

extension StoreComponentType {
  /// Returns a scope of the store, for code that uses only a part of its state.
  ///
  /// - Returns: A scope, which retains the store.
  public func scope<Part: Sendable>(
    _ path: any WritableKeyPath<State, Part> & Sendable
  ) -> StoreScope<State, Part, Activity> {
    StoreScope(store, path)
  }

  /// Keeps a part of another store's state equal to a part of this store's state: immediately, and
  /// after each change of it.
  ///
  /// ```swift
  /// session.copy(\.user, to: editor, \.author).storeWhileSourceActive()
  /// ```
  ///
  /// The part is copied before this store's commit returns, unless several threads commit; see
  /// ``DeliveryQueue/passthrough``. Do not copy in both directions if the values can never be
  /// equal, or from two threads concurrently: the copies would never end.
  ///
  /// - Parameters:
  ///   - part: The part of this state.
  ///   - other: The other store, which is not retained.
  ///   - place: The part of the other state.
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
