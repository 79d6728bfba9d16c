/// The rule for the holder of a key when the entity that the key references is removed.
public enum DeleteRule: Hashable, Sendable {
  /// The holder is removed too, and its delete rules apply in turn.
  case cascade
  /// The batch is refused if a holder is left at its end.
  case deny
  /// The holder keeps a dangling key, which is read as missing.
  case keepDangling
}

extension DeleteRule {
  /// Unavailable: the rule requires a key that can be set to `nil` or emptied.
  @available(
    *, unavailable,
    message:
      "this key cannot be emptied; make it an optional, a list or a set declared with 'var', or use '.cascade', '.deny' or '.keepDangling'"
  )
  public static var nullify: DeleteRule { .deny }
}

/// The rule for the holder of an optional or list key when an entity that the key references is
/// removed.
public enum NullableDeleteRule: Hashable, Sendable {
  /// The holder is removed too, and its delete rules apply in turn.
  case cascade
  /// The key is set to `nil`, or the ID is removed from the list.
  case nullify
  /// The batch is refused if a holder is left at its end.
  case deny
  /// The holder keeps a dangling key, which is read as missing.
  case keepDangling

  @usableFromInline
  init(_ rule: DeleteRule) {
    switch rule {
    case .cascade: self = .cascade
    case .deny: self = .deny
    case .keepDangling: self = .keepDangling
    }
  }
}

/// The rule for the entities that a key references when its holder is removed.
public enum HolderDeleteRule: Hashable, Sendable {
  /// The entities stay.
  case keep
  /// The entities are removed too, and their delete rules apply in turn.
  case cascade
}
