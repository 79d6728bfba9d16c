/// The reason why elements could not be stored in an identified array. The array is not changed.
public enum IdentifiedArrayError: Error, Equatable {
  /// A new element has the ID of another element.
  ///
  /// `offset` is the position of the new element among all new elements. `index` is the position of
  /// the other element after the insertion of the new elements before `offset`.
  case duplicateID(id: String, offset: Int, index: Int)
  /// Merging or updating an element changed its ID.
  case changedID(from: String, to: String)
  /// The changes were applied to an array other than the one from which they were computed.
  case conflict(id: String, reason: String)
}

extension IdentifiedArrayError: CustomStringConvertible {
  /// A description of the error with the ID of the element.
  public var description: String {
    switch self {
    case .duplicateID(let id, let offset, let index):
      "duplicate ID \(id): the new element at offset \(offset) has the ID of the one at \(index)"
    case .changedID(let from, let to):
      "changed ID: the element that replaces the one with the ID \(from) has the ID \(to)"
    case .conflict(let id, let reason):
      "conflict at ID \(id): \(reason)"
    }
  }
}

/// The treatment of a new element whose ID an identified array already contains.
public enum DuplicatePolicy<Element> {
  /// An error is thrown, and the array is not changed.
  case error
  /// The stored element is kept, and the new one is ignored.
  case keep
  /// The new element replaces the stored one in place.
  case replace
  /// The closure combines the stored element and the new one. The result replaces the stored
  /// element in place and must have the same ID.
  case merge((_ existing: Element, _ new: Element) throws -> Element)
}

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
