// Unavailable initializers whose messages explain how to declare a key of the other kind.

extension ToOne {
  /// Unavailable: a list references several entities, and requires a `ToMany`.
  @available(
    *, unavailable,
    message: "this key references several entities; declare the relationship as 'ToMany'"
  )
  @_disfavoredOverload
  public init(
    _ key: any KeyPath<Holder, [Target.EntityID]> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep
  ) {
    preconditionFailure("this initializer is unavailable")
  }
}

extension ToOne {
  /// Unavailable: `count` does not apply to a key that references exactly one entity.
  @available(
    *, unavailable,
    message: "a 'ToOne' references one entity; '.holders(_:)' limits how many reference it"
  )
  public init(
    _ key: any KeyPath<Holder, Target.EntityID> & Sendable,
    onDelete: DeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep, count: CountLimits
  ) {
    preconditionFailure("this initializer is unavailable")
  }

  /// Unavailable: `count` does not apply to a key that references at most one entity.
  @available(
    *, unavailable,
    message:
      "a 'ToOne' references at most one entity; a key that is not optional always references one"
  )
  public init(
    _ key: any KeyPath<Holder, Target.EntityID?> & Sendable,
    onDelete: NullableDeleteRule = .deny, onHolderDelete: HolderDeleteRule = .keep,
    count: CountLimits
  ) {
    preconditionFailure("this initializer is unavailable")
  }
}

extension ToMany {
  /// Unavailable: an ID references one entity, and requires a `ToOne`.
  @available(
    *, unavailable, message: "this key references one entity; declare the relationship as 'ToOne'"
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
