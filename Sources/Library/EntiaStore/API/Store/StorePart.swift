/// A part of a store's state, with all methods of a store. It is a scope, or the whole state of a
/// store or of a type built around a store.
public protocol StorePart<State, Activity>: StateObservable {
  /// The state of the store.
  associatedtype Whole: Sendable
  /// The type of the activities that the store sends.
  associatedtype Activity: Sendable

  /// The store, to which all methods are forwarded.
  var store: Store<Whole, Activity> { get }

  /// The key path from the state of the store to the part.
  var pathInStore: any WritableKeyPath<Whole, State> & Sendable { get }

  /// Edits the part inside `whole`, which is a state of the store.
  ///
  /// - Parameters:
  ///   - whole: The state of the store.
  ///   - body: A closure that edits the part.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  func withPart<Result>(
    of whole: inout Whole, _ body: (inout State) throws -> Result
  ) rethrows -> Result
}

extension StorePart {
  /// Returns the key path from the state of the store to a part of this part.
  @usableFromInline
  func wholePath<Part>(
    to part: any KeyPath<State, Part> & Sendable
  ) -> any KeyPath<Whole, Part> & Sendable {
    let start: KeyPath<Whole, State> = pathInStore
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
    let start: WritableKeyPath<Whole, State> = pathInStore
    let end: WritableKeyPath<State, Part> = part
    // The values captured by both key paths are `Sendable`, and the combined key path captures
    // nothing else.
    return unsafeBitCast(
      start.appending(path: end), to: (any WritableKeyPath<Whole, Part> & Sendable).self)
  }
}

extension StorePart {
  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message: "'count' is a method of the store; read a part of that name as 'store.state.count'"
  )
  public var count: Int { 0 }

  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message: "'task' is a method of the store; read a part of that name as 'store.state.task'"
  )
  public var task: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message: "'entity' is a method of the store; read a part of that name as 'store.state.entity'"
  )
  public var entity: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message:
      "'entities' is a method of the store; read a part of that name as 'store.state.entities'"
  )
  public var entities: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message: "'derived' is a method of the store; read a part of that name as 'store.state.derived'"
  )
  public var derived: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message: "'query' is a method of the store; read a part of that name as 'store.state.query'"
  )
  public var query: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message: "'table' is a method of the store; read a part of that name as 'store.state.table'"
  )
  public var table: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: a method has this name. Read a part of the state with this name from `state`.
  @available(
    *, unavailable,
    message: "'scope' is a method of the store; read a part of that name as 'store.state.scope'"
  )
  public var scope: PartToReadFromState { PartToReadFromState() }
}
