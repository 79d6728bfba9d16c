/// The members of one row, which generated code reads by their names.
///
/// Members are found fastest in the order in which they were written.
public protocol RowReader: ~Copyable {
  /// Whether a nested entity may stand in the place of its ID.
  static var hasNestedEntities: Bool { get }

  /// Whether the row has a member, even if the member is null.
  mutating func hasMember(_ name: StaticString) -> Bool
  /// Returns the first of the names that the row has, or the first name if it has none.
  mutating func name(_ name: StaticString, or others: StaticString...) -> StaticString

  /// Returns the keys that lead to a member.
  func codingPath(_ name: StaticString) -> [any CodingKey]

  /// Returns a member that is a string.
  mutating func member(_ name: StaticString) throws -> String
  /// Returns a member that is a string; `nil` if it is missing or null.
  mutating func memberIfPresent(_ name: StaticString) throws -> String?
  /// Returns a member that is an integer.
  mutating func member(_ name: StaticString) throws -> Int
  /// Returns a member that is an integer; `nil` if it is missing or null.
  mutating func memberIfPresent(_ name: StaticString) throws -> Int?
  /// Returns a member that is a number.
  mutating func member(_ name: StaticString) throws -> Double
  /// Returns a member that is a number; `nil` if it is missing or null.
  mutating func memberIfPresent(_ name: StaticString) throws -> Double?
  /// Returns a member that is a Boolean value.
  mutating func member(_ name: StaticString) throws -> Bool
  /// Returns a member that is a Boolean value; `nil` if it is missing or null.
  mutating func memberIfPresent(_ name: StaticString) throws -> Bool?

  /// Returns a member of any type.
  mutating func value<Value: Decodable>(_ name: StaticString) throws -> Value
  /// Returns a member of any type; `nil` if it is missing or null.
  mutating func valueIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value?
}

// The compiler chooses a function for each member by the type of its property, so that generated
// code need not name types.
extension RowReader where Self: ~Copyable {
  /// Returns the first of the names that the row has, or the first name if it has none.
  @inlinable
  public mutating func name(_ name: StaticString, or others: StaticString...) -> StaticString {
    if hasMember(name) { return name }
    for other in others where hasMember(other) { return other }
    return name
  }

  /// Returns the value of a member that is missing or null: its declared value. `@Entity` generates
  /// a call of this function for a type that may be an optional, such as an alias.
  @inlinable
  @inline(__always)
  public mutating func declared<Value>(_ name: StaticString, _ value: Value) -> Value { value }

  /// Returns the value of an optional member that is missing or null: its declared value if it is
  /// missing, and `nil` if it is null.
  @inlinable
  public mutating func declared<Value>(_ name: StaticString, _ value: Value?) -> Value? {
    hasMember(name) ? nil : value
  }

  /// Returns a member that is the ID of an entity.
  @inlinable
  @inline(__always)
  public mutating func member<Entity: EntityType>(
    _ name: StaticString
  ) throws -> EntityIdentifier<Entity> where Entity.EntityIDRawType: Decodable {
    if Self.hasNestedEntities || !Self.readsDirectly(Entity.EntityIDRawType.self) {
      return try value(name)
    }
    return EntityIdentifier(try rawValue(name))
  }

  /// Returns a member that is the ID of an entity; `nil` if it is missing or null.
  @inlinable
  @inline(__always)
  public mutating func memberIfPresent<Entity: EntityType>(
    _ name: StaticString
  ) throws -> EntityIdentifier<Entity>? where Entity.EntityIDRawType: Decodable {
    if Self.hasNestedEntities || !Self.readsDirectly(Entity.EntityIDRawType.self) {
      return try valueIfPresent(name)
    }
    guard let raw: Entity.EntityIDRawType = try rawValueIfPresent(name) else { return nil }
    return EntityIdentifier(raw)
  }

  /// Returns a member that is represented by a raw value and is not `Decodable`.
  @inlinable
  @inline(__always)
  public mutating func member<Value: RawRepresentable>(
    _ name: StaticString
  ) throws -> Value where Value.RawValue: Decodable { try represented(name) }

  /// Returns a member that is represented by a raw value and is not `Decodable`; `nil` if it is
  /// missing or null.
  @inlinable
  @inline(__always)
  public mutating func memberIfPresent<Value: RawRepresentable>(
    _ name: StaticString
  ) throws -> Value? where Value.RawValue: Decodable { try representedIfPresent(name) }

  /// Returns a member that is both represented by a raw value and `Decodable`, such as a case of an
  /// enum.
  @inlinable
  @inline(__always)
  public mutating func member<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value where Value.RawValue: Decodable {
    Self.readsDirectly(Value.RawValue.self) ? try represented(name) : try value(name)
  }

  /// Returns a member that is both represented by a raw value and `Decodable`; `nil` if it is
  /// missing or null.
  @inlinable
  @inline(__always)
  public mutating func memberIfPresent<Value: RawRepresentable & Decodable>(
    _ name: StaticString
  ) throws -> Value? where Value.RawValue: Decodable {
    Self.readsDirectly(Value.RawValue.self)
      ? try representedIfPresent(name) : try valueIfPresent(name)
  }

  /// Returns a member of any type.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func member<Value: Decodable>(_ name: StaticString) throws -> Value {
    try value(name)
  }

  /// Returns a member of any type; `nil` if it is missing or null.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func memberIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try valueIfPresent(name)
  }

  /// Returns a member whose type is an alias of an optional type; `nil` if the member is missing or
  /// null. `@Entity` does not recognize such a type as optional, so it generates a call of
  /// `member`.
  @inlinable
  @inline(__always)
  public mutating func member<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try valueIfPresent(name)
  }
}

// Every other function is a better match, so the compiler chooses these functions only for members
// whose types cannot be decoded.
extension RowReader where Self: ~Copyable {
  /// Unavailable: the type of the member cannot be decoded.
  @available(
    *, unavailable,
    message: "conform the type of this member to Codable, or mark the member with @Transient"
  )
  @_disfavoredOverload
  public mutating func member<Value>(_ name: StaticString) throws -> Value { unavailable() }

  /// Unavailable: the type of the member cannot be decoded.
  @available(
    *, unavailable,
    message: "conform the type of this member to Codable, or mark the member with @Transient"
  )
  @_disfavoredOverload
  public mutating func memberIfPresent<Value>(_ name: StaticString) throws -> Value? {
    unavailable()
  }

  /// Unavailable: the type of the ID cannot be decoded.
  @available(
    *, unavailable,
    message:
      "conform the type of the property 'id' of the referenced entity to Codable, even if it has raw values"
  )
  @_disfavoredOverload
  public mutating func member<Entity: EntityType>(
    _ name: StaticString
  ) throws -> EntityIdentifier<Entity> { unavailable() }

  /// Unavailable: the type of the ID cannot be decoded.
  @available(
    *, unavailable,
    message:
      "conform the type of the property 'id' of the referenced entity to Codable, even if it has raw values"
  )
  @_disfavoredOverload
  public mutating func memberIfPresent<Entity: EntityType>(
    _ name: StaticString
  ) throws -> EntityIdentifier<Entity>? { unavailable() }
}

// Strings and integers are the most common raw values, and readers have functions for them. In
// specialized code, the comparisons of types are evaluated at compile time.
extension RowReader where Self: ~Copyable {
  /// Whether `rawValue` reads raw values of a type without `Decodable`.
  @inlinable
  @inline(__always)
  static func readsDirectly<Raw>(_ type: Raw.Type) -> Bool {
    Raw.self == String.self || Raw.self == Int.self
  }

  /// Returns a member that is a raw value.
  @inlinable
  @inline(__always)
  mutating func rawValue<Raw: Decodable>(_ name: StaticString) throws -> Raw {
    if Raw.self == String.self { return unsafeBitCast(try member(name) as String, to: Raw.self) }
    if Raw.self == Int.self { return unsafeBitCast(try member(name) as Int, to: Raw.self) }
    return try value(name)
  }

  /// Returns a member that is a raw value; `nil` if it is missing or null.
  @inlinable
  @inline(__always)
  mutating func rawValueIfPresent<Raw: Decodable>(_ name: StaticString) throws -> Raw? {
    if Raw.self == String.self {
      return unsafeBitCast(try memberIfPresent(name) as String?, to: Raw?.self)
    }
    if Raw.self == Int.self {
      return unsafeBitCast(try memberIfPresent(name) as Int?, to: Raw?.self)
    }
    return try valueIfPresent(name)
  }

  /// Returns a member that is represented by a raw value.
  @inlinable
  @inline(__always)
  mutating func represented<Value: RawRepresentable>(
    _ name: StaticString
  ) throws -> Value where Value.RawValue: Decodable {
    let raw: Value.RawValue
    do { raw = try rawValue(name) } catch { return try otherValue(name, instead: error) }
    if let value = Value(rawValue: raw) { return value }
    return try otherValue(name, of: String(reflecting: raw))
  }

  /// Returns a member that is represented by a raw value; `nil` if it is missing or null.
  @inlinable
  @inline(__always)
  mutating func representedIfPresent<Value: RawRepresentable>(
    _ name: StaticString
  ) throws -> Value? where Value.RawValue: Decodable {
    let raw: Value.RawValue?
    do { raw = try rawValueIfPresent(name) } catch {
      return try otherValue(name, instead: error) as Value
    }
    guard let raw else { return nil }
    if let value = Value(rawValue: raw) { return value }
    return try otherValue(name, of: String(reflecting: raw)) as Value
  }

  /// Returns a member that could not be read as a raw value. The member is decoded by its type if
  /// the type is `Decodable`.
  /// - Parameter error: The error to throw if the type is not `Decodable`.
  @inline(never)
  @usableFromInline
  mutating func otherValue<Value>(_ name: StaticString, instead error: any Error) throws -> Value {
    guard let type = Value.self as? any Decodable.Type else { throw error }
    return try decoded(type, name)
  }

  /// Returns a member whose raw value is rejected by `init(rawValue:)` of the type. The member is
  /// decoded with `init(from:)` of the type, which may accept the raw value. Throws an error if
  /// `init(from:)` rejects the raw value, or if the type is not `Decodable`.
  /// - Parameter raw: The raw value as text.
  @inline(never)
  @usableFromInline
  mutating func otherValue<Value: RawRepresentable>(
    _ name: StaticString, of raw: String
  ) throws -> Value {
    var error = Self.unknownRawValue(raw, of: Value.self, at: codingPath(name))
    if let type = Value.self as? any Decodable.Type {
      do {
        return try decoded(type, name)
      } catch DecodingError.dataCorrupted(let context)
        where context.debugDescription.hasPrefix("Cannot initialize ")
      {
        error = Self.unknownRawValue(raw, of: Value.self, at: context.codingPath)
      }
    }
    throw error
  }

  private mutating func decoded<Same: Decodable, Value>(
    _ type: Same.Type, _ name: StaticString
  ) throws -> Value {
    // `Same` and `Value` are the same type.
    unsafeBitCast(try value(name) as Same, to: Value.self)
  }

  private static func unknownRawValue<Value: RawRepresentable>(
    _ raw: String, of type: Value.Type, at path: [any CodingKey]
  ) -> DecodingError {
    func rawValues<Cases: CaseIterable>(_ type: Cases.Type) -> [String] {
      type.allCases.compactMap { ($0 as? Value).map { String(reflecting: $0.rawValue) } }
    }
    let known = (type as? any CaseIterable.Type).map { rawValues($0) } ?? []
    let list = known.isEmpty ? "" : "; known are \(known.joined(separator: ", "))"
    return .dataCorrupted(
      DecodingError.Context(
        codingPath: path,
        debugDescription: "\(raw) is no raw value of \(TypeName.of(type))\(list)"))
  }
}
