import EntiaCoding
import EntiaCollections
import Foundation

/// The output of a row's `encode(to:)` for one key: an unconverted value, or the contents of a
/// nested container.
///
/// Values are stored unconverted, so that values of every type are decoded exactly. A value is
/// encoded further only if a decoder reads it as another type.
typealias MemberNode = EncodedTree<MemberValue>

/// A value without members and elements.
enum MemberValue {
  case null
  case value(any Encodable)
}

/// A node that stores values unconverted.
struct MemberDestination: EncodingDestination {
  let node: MemberNode
  let codingPath: [any CodingKey]

  var count: Int { node.count }

  func beginObject() { node.beginObject() }
  func beginArray() { node.beginArray() }
  func encodeNil() { node.content = .leaf(.null) }
  func encode<Value: Encodable>(_ value: Value) { node.content = .leaf(.value(value)) }

  func member(_ key: any CodingKey) -> MemberDestination {
    MemberDestination(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }

  func element() -> MemberDestination {
    let path = codingPath + [NamedKey(count)]
    return MemberDestination(node: node.appendElement(), codingPath: path)
  }
}

extension MemberNode {
  /// Creates the node of an object.
  convenience init(members: [String: MemberNode]) {
    self.init(.object(members.map { (name: $0, value: $1) }))
  }

  /// Returns the members of a row in their order, or `nil` if the row does not encode itself as an
  /// object.
  static func object<Row: Encodable>(of row: Row) throws -> [(name: String, value: MemberNode)]? {
    let node = MemberNode()
    try row.encode(to: DestinationEncoder(MemberDestination(node: node, codingPath: [])))
    guard case .object(let members) = node.content else { return nil }
    return members
  }

  /// Returns the members of a row, or `nil` if the row does not encode itself as an object.
  static func members<Row: Encodable>(of row: Row) throws -> [String: MemberNode]? {
    try object(of: row).map { byName($0) }
  }

  /// Returns the members of an object, or `nil` if the node is not an object.
  func members() throws -> [String: MemberNode]? {
    guard case .object(let members) = try expanded() else { return nil }
    return Self.byName(members)
  }

  static func byName(
    _ members: [(name: String, value: MemberNode)]
  ) -> [String: MemberNode] {
    Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// Whether the node is a null or an optional that is `nil`.
  var isNull: Bool {
    switch content {
    case .leaf(.null): true
    case .leaf(.value(let value)): (value as? any AnyOptional)?.isNil == true
    case .nothing, .array, .object: false
    }
  }

  /// Returns the content. A value is encoded further until it is a container, a scalar or null.
  func expanded() throws -> Content {
    var content = content
    while case .leaf(.value(let value)) = content, !(value is any ScalarMember) {
      if isNull { return .leaf(.null) }
      let node = MemberNode()
      try value.encode(to: DestinationEncoder(MemberDestination(node: node, codingPath: [])))
      content = node.content
    }
    return content
  }
}

/// The types that containers store without encoding them further.
protocol ScalarMember {}

extension Bool: ScalarMember {}
extension String: ScalarMember {}
extension Double: ScalarMember {}
extension Float: ScalarMember {}
extension Int: ScalarMember {}
extension Int8: ScalarMember {}
extension Int16: ScalarMember {}
extension Int32: ScalarMember {}
extension Int64: ScalarMember {}
extension UInt: ScalarMember {}
extension UInt8: ScalarMember {}
extension UInt16: ScalarMember {}
extension UInt32: ScalarMember {}
extension UInt64: ScalarMember {}

extension MemberNode {
  /// Whether two members have the same value; a missing member equals only a missing member.
  ///
  /// Nested values must be equal by `==` and have the same encoded members, because the `==` of a
  /// nested type may ignore some members.
  static func haveSameValue(_ lhs: MemberNode?, _ rhs: MemberNode?) throws -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    if case .leaf(.value(let first)) = lhs.content, case .leaf(.value(let second)) = rhs.content {
      switch areSame(first, second) {
      case false?: return false
      case true? where isWhole(first): return true
      case true?:
        if let pairs = unorderedPairs(first, second) {
          return try pairs.allSatisfy { try haveSameValue($0, $1) }
        }
      case nil: break
      }
    }
    switch (try lhs.expanded(), try rhs.expanded()) {
    case (.nothing, .nothing), (.leaf(.null), .leaf(.null)): return true
    case (.leaf(.value(let first)), .leaf(.value(let second))):
      return areSame(first, second) ?? false
    case (.array(let first), .array(let second)):
      guard first.count == second.count else { return false }
      return try zip(first, second).allSatisfy { try haveSameValue($0, $1) }
    case (.object(let first), .object(let second)):
      guard first.count == second.count else { return false }
      let second = byName(second)
      return try first.allSatisfy { try haveSameValue($0.value, second[$0.name]) }
    default: return false
    }
  }

  /// Whether two values are the same. The result is `nil` if their types differ or have no
  /// equality.
  private static func areSame(_ lhs: any Encodable, _ rhs: any Encodable) -> Bool? {
    func areSame<Value: Equatable>(_ lhs: Value) -> Bool? {
      (rhs as? Value).map { EntiaCollections.haveSameValue(lhs, $0) }
    }
    guard let lhs = lhs as? any Equatable else { return nil }
    return areSame(lhs)
  }

  private static func isWhole(_ value: any Encodable) -> Bool {
    value is any ScalarMember || value is any WholeMember
  }

  private static func unorderedPairs(
    _ lhs: any Encodable, _ rhs: any Encodable
  ) -> [(MemberNode, MemberNode)]? {
    (lhs as? any UnorderedMember)?.pairs(with: rhs)
  }
}

/// A type whose `==` compares everything that its values encode.
private protocol WholeMember {}

extension Data: WholeMember {}
extension Date: WholeMember {}
extension Decimal: WholeMember {}
extension URL: WholeMember {}
extension UUID: WholeMember {}
extension EntityIdentifier: WholeMember {}

/// A collection whose elements are encoded in no significant order.
private protocol UnorderedMember {
  /// Returns the elements of this collection, each paired with the equal element of another
  /// collection; `nil` if the collections have different types.
  func pairs(with other: Any) -> [(MemberNode, MemberNode)]?
}

extension Set: UnorderedMember where Element: Encodable {
  fileprivate func pairs(with other: Any) -> [(MemberNode, MemberNode)]? {
    guard let other = other as? Self else { return nil }
    return compactMap { element in
      other.firstIndex(of: element).map {
        (MemberNode(.leaf(.value(element))), MemberNode(.leaf(.value(other[$0]))))
      }
    }
  }
}

extension Dictionary: UnorderedMember where Key: Encodable, Value: Encodable {
  fileprivate func pairs(with other: Any) -> [(MemberNode, MemberNode)]? {
    guard let other = other as? Self else { return nil }
    return flatMap { key, value -> [(MemberNode, MemberNode)] in
      guard let index = other.index(forKey: key) else { return [] }
      return [
        (MemberNode(.leaf(.value(key))), MemberNode(.leaf(.value(other[index].key)))),
        (MemberNode(.leaf(.value(value))), MemberNode(.leaf(.value(other[index].value)))),
      ]
    }
  }
}
