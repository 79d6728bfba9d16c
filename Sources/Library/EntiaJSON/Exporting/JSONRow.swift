import EntiaCoding
import EntiaDatabase

/// An object of the output, which generated code writes member by member.
struct JSONRow: RowWriter {
  static var hasNestedEntities: Bool { true }

  private let run: EncodingRun
  private let json: UnsafeMutablePointer<JSONWriter>

  /// Creates the row of the object that the writer has begun.
  init(_ run: EncodingRun, _ json: UnsafeMutablePointer<JSONWriter>) {
    (self.run, self.json) = (run, json)
  }

  /// Writes a member, and counts the bytes of its value.
  @inline(__always)
  private func write(
    _ name: StaticString, _ value: (inout JSONWriter) throws -> Void
  ) throws {
    write(name)
    let count = json.pointee.bytes.count
    try value(&json.pointee)
    try run.count(bytes: json.pointee.bytes.count - count)
  }

  private func write(_ name: StaticString) {
    if run.keepsNames {
      json.pointee.name(name)
      run.countName(ofLength: name.utf8CodeUnitCount)
    } else {
      let name = run.spelled(name.description)
      json.pointee.name(name)
      run.countName(name)
    }
  }

  func setMember(_ name: StaticString, to value: String) throws {
    try write(name) { $0.string(value) }
  }
  func setMember(_ name: StaticString, to value: Int) throws {
    try write(name) { $0.integer(value) }
  }
  func setMember(_ name: StaticString, to value: Double) throws {
    try write(name) { $0.text(try EncodingRun.text(value, [NamedKey(name.description)])) }
  }
  func setMember(_ name: StaticString, to value: Bool) throws {
    try write(name) { $0.bool(value) }
  }

  func setValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    write(name)
    try run.write(value, to: &json.pointee, at: [NamedKey(name.description)])
  }
  func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try setValue(name, to: value)
  }
  func setMissing(_ name: StaticString) {}
  func setNull(_ name: StaticString) throws { try write(name) { $0.null() } }
}

/// A writer of entities of one type, by generated code or by their `Codable` conformance.
class EntityWriter<Entity: EntityType & Encodable> {
  /// Returns the writer.
  static func make() -> EntityWriter {
    func make<Same: EntityType & Encodable & RowCodable>(_ type: Same.Type) -> AnyObject {
      GeneratedEntityWriter<Same>()
    }
    guard let type = Entity.self as? any (EntityType & Encodable & RowCodable).Type else {
      return EntityWriter()
    }
    return make(type) as? EntityWriter ?? EntityWriter()
  }

  /// Writes an entity.
  ///
  /// - Parameter nilName: The name of a member to write as null, although the entity lacks it.
  ///   Because of the null, an import does not mistake the row for an ID. The null is omitted if an
  ///   inverse relationship adds a member to the row, because an ID has no such member.
  func write(
    _ entity: Entity, to json: inout JSONWriter, _ run: EncodingRun, nilName: String? = nil
  ) throws {
    let node = try node(of: entity, run)
    var nilName = nilName
    if !run.inverses.isEmpty {
      for writer in run.inverses[ObjectIdentifier(Entity.self)] ?? [] {
        // A writer is stored under its target type.
        let writer = unsafeDowncast(writer, to: InverseWriter<Entity>.self)
        if try writer.add(entity, to: node, run) { nilName = nil }
      }
    }
    if let nilName {
      run.countName(nilName)
      node.member(nilName).content = .leaf(try run.counted(.null))
    }
    node.write(to: &json)
  }

  /// Returns an encoded entity, to which members can be added.
  func node(of entity: Entity, _ run: EncodingRun) throws -> EncodedNode {
    try run.encode(entity, at: [])
  }
}

private final class GeneratedEntityWriter<Entity: EntityType & Encodable & RowCodable>:
  EntityWriter<Entity>
{
  override func write(
    _ entity: Entity, to json: inout JSONWriter, _ run: EncodingRun, nilName: String?
  ) throws {
    // With an inverse, the members are not written directly, because the inverse may replace one of
    // them.
    guard run.inverses[ObjectIdentifier(Entity.self)] == nil else {
      return try super.write(entity, to: &json, run, nilName: nilName)
    }
    json.beginObject()
    try withUnsafeMutablePointer(to: &json) { json in
      var row = JSONRow(run, json)
      try entity.write(to: &row)
    }
    if let nilName {
      run.countName(nilName)
      json.name(nilName)
      json.text(try run.counted(.null))
    }
    json.endObject()
  }

  override func node(of entity: Entity, _ run: EncodingRun) throws -> EncodedNode {
    // `CodedEntity` bypasses a `Codable` conformance that the entity implements for other coders.
    try run.encode(CodedEntity(entity), at: [])
  }
}
