/// A row that generated code writes member by member.
public protocol RowWriter: ~Copyable {
  /// Whether a nested entity may stand in the place of its ID.
  static var hasNestedEntities: Bool { get }

  /// Writes a member that is a string.
  mutating func setMember(_ name: StaticString, to value: String) throws
  /// Writes a member that is an integer.
  mutating func setMember(_ name: StaticString, to value: Int) throws
  /// Writes a member that is a number.
  mutating func setMember(_ name: StaticString, to value: Double) throws
  /// Writes a member that is a Boolean value.
  mutating func setMember(_ name: StaticString, to value: Bool) throws

  /// Writes a member of any type.
  mutating func setValue<Value: Encodable>(_ name: StaticString, to value: Value) throws
  /// Writes the unwrapped value of an optional member that is not `nil`.
  mutating func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) throws
  /// Writes a member that is `nil`, so that it is missing in the row.
  mutating func setMissing(_ name: StaticString) throws
  /// Writes a member that is an explicit null.
  mutating func setNull(_ name: StaticString) throws
}

extension RowWriter where Self: ~Copyable {
  /// Writes a member that is the ID of an entity.
  @inlinable
  @inline(__always)
  public mutating func setMember<Entity: EntityType>(
    _ name: StaticString, to value: EntityIdentifier<Entity>
  ) throws where Entity.EntityIDRawType: Encodable {
    if try setRawValue(name, of: value) { return }
    try setValue(name, to: value)
  }

  /// Writes a member that is the ID of an entity or `nil`.
  @inlinable
  @inline(__always)
  public mutating func setMember<Entity: EntityType>(
    _ name: StaticString, to value: EntityIdentifier<Entity>?
  ) throws where Entity.EntityIDRawType: Encodable {
    guard let value else { return try setMissing(name) }
    if try setRawValue(name, of: value) { return }
    try setPresentValue(name, to: value)
  }

  /// Writes the raw value of an ID if it is a string or an integer. In specialized code, the
  /// comparisons of types are evaluated at compile time.
  /// - Returns: Whether it was written.
  @inlinable
  @inline(__always)
  mutating func setRawValue<Entity: EntityType>(
    _ name: StaticString, of id: EntityIdentifier<Entity>
  ) throws -> Bool {
    if Self.hasNestedEntities { return false }
    if Entity.EntityIDRawType.self == String.self {
      try setMember(name, to: unsafeBitCast(id.raw, to: String.self))
      return true
    }
    if Entity.EntityIDRawType.self == Int.self {
      try setMember(name, to: unsafeBitCast(id.raw, to: Int.self))
      return true
    }
    return false
  }

  /// Writes a member of any type.
  @inlinable
  @inline(__always)
  public mutating func setMember<Value: Encodable>(
    _ name: StaticString, to value: Value
  ) throws { try setValue(name, to: value) }

  /// Writes a member of any optional type.
  @inlinable
  @inline(__always)
  public mutating func setMember<Value: Encodable>(
    _ name: StaticString, to value: Value?
  ) throws {
    guard let value else { return try setMissing(name) }
    // In specialized code, the comparisons of types are evaluated at compile time.
    if Value.self == String.self {
      try setMember(name, to: unsafeBitCast(value, to: String.self))
    } else if Value.self == Int.self {
      try setMember(name, to: unsafeBitCast(value, to: Int.self))
    } else if Value.self == Double.self {
      try setMember(name, to: unsafeBitCast(value, to: Double.self))
    } else if Value.self == Bool.self {
      try setMember(name, to: unsafeBitCast(value, to: Bool.self))
    } else {
      try setPresentValue(name, to: value)
    }
  }

  /// Writes the raw value of a member whose type is not `Encodable`.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func setMember<Value: RawRepresentable>(
    _ name: StaticString, to value: Value
  ) throws where Value.RawValue: Encodable { try setMember(name, to: value.rawValue) }

  /// Writes the raw value of an optional member whose wrapped type is not `Encodable`.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func setMember<Value: RawRepresentable>(
    _ name: StaticString, to value: Value?
  ) throws where Value.RawValue: Encodable {
    if let value { try setPresentValue(name, to: value.rawValue) } else { try setMissing(name) }
  }

  /// Writes a member of any type. `nil` is written as an explicit null. Otherwise, a reader would
  /// give the missing member its default, or look for it under its old name.
  @inlinable
  public mutating func setNullableMember<Value: Encodable>(
    _ name: StaticString, to value: Value?
  ) throws {
    if let value { try setPresentValue(name, to: value) } else { try setNull(name) }
  }

  /// Writes the raw value of a member whose type is not `Encodable`. `nil` is written as an
  /// explicit null. Otherwise, a reader would give the missing member its default, or look for it
  /// under its old name.
  @_disfavoredOverload
  @inlinable
  public mutating func setNullableMember<Value: RawRepresentable>(
    _ name: StaticString, to value: Value?
  ) throws where Value.RawValue: Encodable { try setNullableMember(name, to: value?.rawValue) }

  /// Returns `false`, because the type of the member is not an optional. `@Entity` generates a call
  /// of `isNil` if it cannot see whether a type is an optional, for example because the type is an
  /// alias. The compiler selects the overload.
  @inlinable
  @inline(__always)
  public func isNil<Value>(_ value: Value) -> Bool { false }

  /// Whether an optional member is `nil`.
  @inlinable
  @inline(__always)
  public func isNil<Value>(_ value: Value?) -> Bool { value == nil }
}

// Every other function is a better match, so the compiler chooses these functions only for members
// whose types cannot be encoded.
extension RowWriter where Self: ~Copyable {
  /// Unavailable: the type of the member cannot be encoded.
  @available(
    *, unavailable,
    message: "conform the type of this member to Codable, or mark the member with @Transient"
  )
  @_disfavoredOverload
  public mutating func setMember<Value>(_ name: StaticString, to value: Value) throws {
    unavailable()
  }

  /// Unavailable: the type of the member cannot be encoded.
  @available(
    *, unavailable,
    message: "conform the type of this member to Codable, or mark the member with @Transient"
  )
  @_disfavoredOverload
  public mutating func setNullableMember<Value>(_ name: StaticString, to value: Value?) throws {
    unavailable()
  }

  /// Unavailable: the type of the ID cannot be encoded.
  @available(
    *, unavailable,
    message:
      "conform the type of the property 'id' of the referenced entity to Codable, even if it has raw values"
  )
  @_disfavoredOverload
  public mutating func setMember<Entity: EntityType>(
    _ name: StaticString, to value: EntityIdentifier<Entity>
  ) throws { unavailable() }

  /// Unavailable: the type of the ID cannot be encoded.
  @available(
    *, unavailable,
    message:
      "conform the type of the property 'id' of the referenced entity to Codable, even if it has raw values"
  )
  @_disfavoredOverload
  public mutating func setMember<Entity: EntityType>(
    _ name: StaticString, to value: EntityIdentifier<Entity>?
  ) throws { unavailable() }
}
