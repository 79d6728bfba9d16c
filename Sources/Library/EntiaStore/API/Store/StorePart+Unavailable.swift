extension StorePart {
  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'count' is a method of the store; read a part of that name as 'store.state.count'"
  )
  public var count: Int { 0 }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'task' is a method of the store; read a part of that name as 'store.state.task'"
  )
  public var task: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'entity' is a method of the store; read a part of that name as 'store.state.entity'"
  )
  public var entity: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message:
      "'entities' is a method of the store; read a part of that name as 'store.state.entities'"
  )
  public var entities: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'derived' is a method of the store; read a part of that name as 'store.state.derived'"
  )
  public var derived: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'query' is a method of the store; read a part of that name as 'store.state.query'"
  )
  public var query: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'table' is a method of the store; read a part of that name as 'store.state.table'"
  )
  public var table: PartToReadFromState { PartToReadFromState() }

  /// Unavailable: `state` reads a part of the state that has this name.
  @available(
    *, unavailable,
    message: "'scope' is a method of the store; read a part of that name as 'store.state.scope'"
  )
  public var scope: PartToReadFromState { PartToReadFromState() }
}
