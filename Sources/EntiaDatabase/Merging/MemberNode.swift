import EntiaCollections

/// What a row's `encode(to:)` stored under a key: a value as it is, or the parts of a nested container.
///
/// Values are kept, not converted, so that every value of every type is read back exactly. A value is
/// encoded further only where a decoder reads it as another type.
final class MemberNode {
  enum Content {
    case nothing
    case null
    case value(any Encodable)
    case list([MemberNode])
    case object([String: MemberNode])
  }

  var content: Content

  init(_ content: Content = .nothing) { self.content = content }

  /// Returns the members of a row, or `nil` if the row encodes itself as something else.
  static func members<Row: Encodable>(of row: Row) throws -> [String: MemberNode]? {
    let node = MemberNode()
    try row.encode(to: MemberEncoder(node: node, codingPath: []))
    guard case .object(let members) = node.content else { return nil }
    return members
  }

  /// Adds an element to a list.
  func append(_ node: MemberNode) {
    var elements: [MemberNode] = []
    if case .list(let known) = content { elements = known }
    content = .nothing
    elements.append(node)
    content = .list(elements)
  }

  /// Sets a member of an object.
  func set(_ name: String, _ node: MemberNode) {
    var members: [String: MemberNode] = [:]
    if case .object(let known) = content { members = known }
    content = .nothing
    members[name] = node
    content = .object(members)
  }

  /// Whether there is no value: a null, or an optional that is `nil`.
  var isNull: Bool {
    switch content {
    case .null: true
    case .value(let value): (value as? any OptionalMember)?.isNil == true
    case .nothing, .list, .object: false
    }
  }

  /// Returns the content with a value encoded further, until it is a container or a scalar.
  func expanded() throws -> Content {
    var content = content
    while case .value(let value) = content, !(value is any ScalarMember) {
      if isNull { return .null }
      let node = MemberNode()
      try value.encode(to: MemberEncoder(node: node, codingPath: []))
      content = node.content
    }
    return content
  }

  /// Whether two members have the same value; a missing one equals only a missing one.
  static func haveSameValue(_ lhs: MemberNode?, _ rhs: MemberNode?) throws -> Bool {
    guard let lhs, let rhs else { return lhs == nil && rhs == nil }
    if case .value(let first) = lhs.content, case .value(let second) = rhs.content,
      let isSame = areSame(first, second)
    {
      return isSame
    }
    switch (try lhs.expanded(), try rhs.expanded()) {
    case (.nothing, .nothing), (.null, .null): return true
    case (.value(let first), .value(let second)): return areSame(first, second) ?? false
    case (.list(let first), .list(let second)):
      guard first.count == second.count else { return false }
      return try zip(first, second).allSatisfy { try haveSameValue($0, $1) }
    case (.object(let first), .object(let second)):
      guard first.count == second.count else { return false }
      return try first.allSatisfy { try haveSameValue($1, second[$0]) }
    default: return false
    }
  }

  /// Whether two values of one type are the same, or `nil` if they are of two types or their type has
  /// no equality.
  private static func areSame(_ lhs: any Encodable, _ rhs: any Encodable) -> Bool? {
    func areSame<Value: Equatable>(_ lhs: Value) -> Bool? {
      (rhs as? Value).map { EntiaCollections.haveSameValue(lhs, $0) }
    }
    guard let lhs = lhs as? any Equatable else { return nil }
    return areSame(lhs)
  }
}

/// An optional of any type.
private protocol OptionalMember {
  var isNil: Bool { get }
}

extension Optional: OptionalMember {
  fileprivate var isNil: Bool { self == nil }
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
