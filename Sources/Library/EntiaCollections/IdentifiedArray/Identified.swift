/// A value with an ID, for values that have none of their own.
@dynamicMemberLookup
public struct Identified<ID: Hashable, Value>: Identifiable {
  /// The ID.
  public let id: ID
  /// The value.
  public var value: Value

  /// Creates a value with an ID.
  public init(_ value: Value, id: ID) {
    self.id = id
    self.value = value
  }

  /// Creates a value with the ID that a function returns for it.
  public init(_ value: Value, id: (Value) -> ID) { self.init(value, id: id(value)) }

  /// Creates a value with the ID at a key path of the value.
  public init(_ value: Value, id: KeyPath<Value, ID>) { self.init(value, id: value[keyPath: id]) }

  /// A property of the value.
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Subject {
    get { value[keyPath: keyPath] }
    set { value[keyPath: keyPath] = newValue }
  }

  /// A read-only property of the value.
  public subscript<Subject>(dynamicMember keyPath: KeyPath<Value, Subject>) -> Subject {
    value[keyPath: keyPath]
  }
}

extension Identified: Decodable where ID: Decodable, Value: Decodable {}
extension Identified: Encodable where ID: Encodable, Value: Encodable {}
extension Identified: Equatable where Value: Equatable {}
extension Identified: Hashable where Value: Hashable {}
extension Identified: Sendable where ID: Sendable, Value: Sendable {}
