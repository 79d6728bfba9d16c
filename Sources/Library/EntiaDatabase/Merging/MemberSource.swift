import EntiaCoding

/// The encoded members of a row, from which a row is decoded.
final class MemberSource: DecodingSource {
  /// The requested values, with their coding paths.
  private var values: [(value: MemberNode, path: [any CodingKey])]
  /// The members of each value in `values` that is an object, by the index of the value.
  private var objects: [Int: [String: MemberNode]] = [:]

  private init(_ value: MemberNode) { values = [(value, [])] }

  /// Returns a row that is decoded from encoded members.
  /// - Throws: `DecodingError`, or the error that `init(from:)` of the row throws.
  static func row<Row: Decodable>(_ type: Row.Type, of members: [String: MemberNode]) throws -> Row
  {
    try Row(from: SourceDecoder(MemberSource(MemberNode(members: members)), 0))
  }

  func codingPath(_ node: Int) -> [any CodingKey] { values[node].path }

  func isNull(_ node: Int) -> Bool { values[node].value.isNull }

  func bool(_ node: Int) throws -> Bool { try scalar(node) }
  func string(_ node: Int) throws -> String { try scalar(node) }
  func double(_ node: Int) throws -> Double { try floatingPoint(node) }
  func float(_ node: Int) throws -> Float { try floatingPoint(node) }
  func int(_ node: Int) throws -> Int { try integer(node) }

  func decode<Value: Decodable>(_ type: Value.Type, _ node: Int) throws -> Value {
    if case .leaf(.value(let value)) = values[node].value.content, let same = value as? Value {
      return same
    }
    return try Value(from: SourceDecoder(self, node))
  }

  private func content(_ node: Int, as type: Any.Type) throws -> any Encodable {
    guard case .leaf(.value(let value)) = try values[node].value.expanded() else {
      throw mismatch(type, node)
    }
    return value
  }

  private func scalar<Value>(_ node: Int) throws -> Value {
    guard let same = try content(node, as: Value.self) as? Value else {
      throw mismatch(Value.self, node)
    }
    return same
  }

  func integer<Value: FixedWidthInteger>(_ node: Int) throws -> Value {
    let value = try content(node, as: Value.self)
    if let same = value as? Value { return same }
    guard let number = value as? any BinaryInteger, let exact = Value(exactly: number) else {
      throw mismatch(Value.self, node)
    }
    return exact
  }

  private func floatingPoint<Value: BinaryFloatingPoint>(_ node: Int) throws -> Value {
    let value = try content(node, as: Value.self)
    if let same = value as? Value { return same }
    if let number = value as? any BinaryInteger, let exact = Value(exactly: number) { return exact }
    func exact<Number: BinaryFloatingPoint>(_ number: Number) -> Value? { Value(exactly: number) }
    guard let number = value as? any BinaryFloatingPoint, let exact = exact(number) else {
      throw mismatch(Value.self, node)
    }
    return exact
  }

  func elements(of node: Int) throws -> Range<Int> {
    guard case .array(let elements) = try values[node].value.expanded() else {
      throw mismatch([Any].self, node)
    }
    let first = values.count
    for (index, element) in elements.enumerated() {
      values.append((element, values[node].path + [NamedKey(index)]))
    }
    return first..<values.count
  }

  func checkObject(_ node: Int) throws {
    guard let members = try values[node].value.members() else {
      throw mismatch([String: Any].self, node)
    }
    objects[node] = members
  }

  func names(of object: Int) -> [String] { objects[object, default: [:]].keys.sorted() }

  func member(_ name: String, of object: Int, as type: Any.Type?) -> Int? {
    guard let member = objects[object]?[name] else { return nil }
    values.append((member, values[object].path + [NamedKey(name)]))
    return values.count - 1
  }

  private func mismatch(_ type: Any.Type, _ node: Int) -> DecodingError {
    .typeMismatch(
      type, DecodingError.Context(codingPath: codingPath(node), debugDescription: "not a \(type)"))
  }
}
