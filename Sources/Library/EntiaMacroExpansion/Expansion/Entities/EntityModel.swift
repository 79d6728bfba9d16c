/// The contents of an entity's declaration.
struct EntityModel: Equatable, Sendable {
  /// The members of each row and the `#if` blocks around them, in source order.
  var parts: [ConditionalPart<EntityMember>] = []
  /// The access modifier that makes generated declarations as visible as the struct; `nil` for
  /// internal.
  var access: String?
  /// The attributes that declare where the struct is available.
  var availability: [String] = []
  var identity = Identity.declared
  /// Whether the struct declares a property `id`.
  var declaresID = false
  /// Whether the struct declares `init(from:)`, but not `Decodable`.
  var declaresDecoding = false
  /// Whether the struct declares `encode(to:)`, but not `Encodable`.
  var declaresEncoding = false

  /// Whether the expanded struct has a property `id` that is its ID.
  var hasID: Bool {
    switch identity {
    case .declared: declaresID
    case .member: !declaresID
    case .members: true
    }
  }

  /// The source of the entity's ID.
  enum Identity: Equatable, Sendable {
    /// The user's code declares the ID.
    case declared
    /// One member is the ID, and has this type.
    case member(EntityMember, type: String)
    /// Several members together are the ID.
    case members([IDPart])
  }

  /// A member that is part of the ID.
  struct IDPart: Equatable, Sendable {
    var member: EntityMember
    var type: String
  }
}

/// A stored property of an entity.
struct EntityMember: Equatable, Sendable {
  /// The name in source code, with backticks if it needs them.
  var name: Word
  /// The type in source code, if it is written.
  var type: String?
  /// The declared value in source code.
  var value: String?
  /// The access modifier.
  var access: String?
  /// Whether the property has an attribute that may be a property wrapper.
  var isWrapped: Bool
  /// Whether the member is transient: rows do not have it.
  var isTransient: Bool
  /// Whether the member is deprecated, on any platform.
  var isDeprecated: Bool
  /// The name in rows, and the token that declares it.
  var storedName: Word
  /// The names that the member had in older rows.
  var oldNames: [Word]
  var conditions: [Condition]
  /// The source line of the member, for messages of the compiler; `nil` if it is unknown.
  var line: SourceLine?
}

extension EntityMember {
  /// Whether the type is an optional, judging by its text.
  var isOptional: Bool { type.map(WrittenType.init)?.wrapped != nil }

  /// Whether the type may be an optional although its text does not show it, because the type is an
  /// alias or is inferred. For such a member, the generated code calls functions that are
  /// overloaded for optionals, and the compiler selects the overload.
  var mayBeOptional: Bool {
    if let type { return !isOptional && !KnownType.contains(type) }
    guard let value else { return true }
    return LiteralType.of(value) == nil && !KnownType.isCollection(value)
      && StorageValue.typeWritten(in: value).map(KnownType.hasNoFailingInitializer) != true
  }

  /// Whether the declaration has a value other than `nil`. The member gets this value if a row
  /// lacks the member.
  var hasDefault: Bool {
    guard let value, value != "nil" else { return false }
    return !isOptional || ![".none", "Optional.none"].contains(value)
  }

  /// Whether the member is read after all others, because the declared value of a wrapped property
  /// is accessible only when all properties have values.
  var isReadLast: Bool { hasDefault && isWrapped }
}
