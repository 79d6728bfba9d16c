/// What happens to the holder of a key when the entity that the key names is removed.
public enum DeleteRule: Hashable, Sendable {
  /// The holder is removed too, and so on.
  case cascade
  /// The batch is refused while any holder is left at its end.
  case deny
  /// The holder keeps a key that leads nowhere, and reads it as missing.
  case keepDangling
}

extension DeleteRule {
  /// The rule of keys that can be emptied, which this one cannot.
  @available(
    *, unavailable,
    message:
      "this key cannot be emptied; make it an optional, a list or a set declared with 'var', or use '.cascade', '.deny' or '.keepDangling'"
  )
  public static var nullify: DeleteRule { .deny }
}

/// What happens to the holder of an optional or list key when the entity it names is removed.
public enum NullableDeleteRule: Hashable, Sendable {
  /// The holder is removed too, and so on.
  case cascade
  /// The key is set to `nil`, or taken out of the list.
  case nullify
  /// The batch is refused while any holder is left at its end.
  case deny
  /// The holder keeps a key that leads nowhere, and reads it as missing.
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

/// What happens to the entities that a key names when its holder is removed.
public enum HolderDeleteRule: Hashable, Sendable {
  /// They stay.
  case keep
  /// They are removed too, and so on.
  case cascade
}
