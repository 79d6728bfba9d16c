/// The output of a row's `encode(to:)` for one key: an unconverted value, or the contents of a
/// nested container.
///
/// Values are stored unconverted, so that values of every type are decoded exactly. A value is
/// encoded further only if a decoder reads it as another type.
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

  /// Whether the node is a null or an optional that is `nil`.
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
