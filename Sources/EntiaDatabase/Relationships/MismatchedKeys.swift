// Initializers that exist for their messages: what a user writes first for a key of the other kind.

extension ToOne {
  /// A list names several entities, and so needs a `ToMany`.
  @available(
    *, unavailable, message: "this key names several entities; declare the relationship as 'ToMany'"
  )
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    preconditionFailure("this initializer is unavailable")
  }
}

extension ToMany {
  /// An ID names one entity, and so needs a `ToOne`.
  @available(
    *, unavailable, message: "this key names one entity; declare the relationship as 'ToOne'"
  )
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, Target.EntityID> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits = .any
  ) {
    preconditionFailure("this initializer is unavailable")
  }
}
