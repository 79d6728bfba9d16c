import EntiaCoding
public import EntiaDatabase
import Foundation

extension DecodingRun: DecodingSource {
  func isNull(_ node: Int) -> Bool { tape.nodes[node].token == .null }

  func checkObject(_ node: Int) throws {
    let token = tape.nodes[node].token
    if token == .beginObject { return }
    throw token == .null
      ? mismatch([String: Any].self, node)
      : mismatch([String: Any].self, node, "expected an object")
  }

  func names(of object: Int) -> [String] { members(of: object).map { text($0) } }

  func hasMember(_ name: String, of object: Int) -> Bool {
    hasMember(name, of: object, isReference: false)
  }

  /// Whether an object has a member, or a default for it.
  /// - Parameters:
  ///   - isReference: Whether the member may be a reference, whose name in the input may lack the
  ///     suffix `ID` or `IDs`.
  ///   - countsDefaults: Whether a default counts.
  func hasMember(
    _ name: String, of object: Int, isReference: Bool, countsDefaults: Bool = true
  ) -> Bool {
    // The caller reads the value next, by a second search. The hint is restored, so that both
    // searches begin at the same position. They then find the same member, even if several members
    // match the name.
    let hint = tape.nodes[object].hint
    defer { tape.nodes[object].hint = hint }
    if find(object, name, isReference: { isReference }).value != nil { return true }
    missingMembers += 1
    return countsDefaults && hasDefault(name, in: object)
  }

  func member(_ name: String, of object: Int, as type: Any.Type?) -> Int? {
    let next = nextMember(object, name)
    let node = next >= 0 ? next : search(name, of: object, as: type)
    if openChild != nil, let node, isNull(node), hasParentKey(type, name, in: object) {
      return nil
    }
    return node
  }

  // A property of unknown type may be a reference, whose member may lack the suffix `ID`.
  @inline(never)
  private func search(_ name: String, of object: Int, as type: Any.Type?) -> Int? {
    let isReference = { type.map(self.isReference) ?? true }
    let (found, plain) = member(object, name, isReference: isReference)
    if let plain, type != nil { notePlain(plain, for: name) }
    return found
  }

  func hasSubstitutes(_ object: Int) -> Bool { openChild != nil || openDefaults != nil }

  /// Returns the substitute for a missing member: the key that refers to the child's parent, or the
  /// default of the member.
  func substitute<Value>(
    _ type: Value.Type, for name: String, of object: Int
  ) throws -> Value? {
    try parentKey(type, name, in: object) ?? defaultValue(type, name, in: object)
  }

  func missingMember(_ name: String, of object: Int) -> String {
    tape.nodes.contains(object) ? "there is no \(name.quoted)" : Self.ended
  }

  func superNode(of object: Int) -> Int? {
    member(object, "super", isReference: { false }).value ?? object
  }
}

extension DecodingRun {
  /// Returns whether a record has a member that contains objects and was not decoded.
  @usableFromInline
  func hasUndecodedMembers(_ record: Int) -> Bool {
    let end = tape.nodes[record].next
    var name = record + 1
    while name < end {
      if isUndecoded(name + 1) { return true }
      name = tape.nodes[name + 1].next
    }
    return false
  }

  /// Whether all members of an object have been decoded.
  func hasOnlyDecodedMembers(_ object: Int) -> Bool {
    members(of: object).allSatisfy { tape.nodes[$0 + 1].isDecoded }
  }

  /// Returns the values of a record's members that contain objects and were not decoded.
  func undecodedMembers(of record: Int) -> [Int] {
    members(of: record).map { $0 + 1 }.filter(isUndecoded)
  }

  /// Records that a member such as `author` was not read as the property `reference`, such as
  /// `authorID`, because the member contains no objects.
  private func notePlain(_ value: Int, for reference: String) {
    if isNull(value) || plainMembers.contains(where: { $0.value == value }) { return }
    plainMembers.append(PlainMember(value: value, reference: reference))
  }

  /// Removes all plain members of a record, and returns those that no property has read.
  func takePlainMembers(in record: Int) -> [PlainMember] {
    let nodes = record..<tape.nodes[record].next
    let found = plainMembers.filter { nodes.contains($0.value) && !tape.nodes[$0.value].isDecoded }
    plainMembers.removeAll { nodes.contains($0.value) }
    return found
  }

  private func isUndecoded(_ value: Int) -> Bool {
    let node = tape.nodes[value]
    guard node.token.opens, !node.isDecoded else { return false }
    return (value..<node.next).contains { tape.nodes[$0].token == .beginObject }
  }

  /// Returns the names of an object's members that are not null.
  func namesWithValues(of object: Int) -> [String] {
    members(of: object).filter { !isNull($0 + 1) }.map { text($0) }
  }

  /// Returns the elements of an array, or the value itself.
  func elementsOrSelf(of value: Int) -> [Int] {
    tape.nodes[value].token == .beginArray ? tape.parts(of: value) : [value]
  }

  /// Returns whether a value can be read in the place of one ID, or of several IDs if `isMany` is
  /// `true`.
  ///
  /// Linkage, which is a reference in the notation of the input's format, is always accepted. In
  /// the place of one ID, an object is accepted. In the place of several IDs, an array is accepted
  /// if the array is empty or contains an object or linkage.
  func holdsRecords(_ value: Int, isMany: Bool) -> Bool {
    let node = tape.nodes[value]
    if node.isLinkage { return true }
    guard isMany else { return node.token == .beginObject }
    guard node.token == .beginArray else { return false }
    var element = value + 1
    while element < node.next {
      if tape.nodes[element].token == .beginObject || tape.nodes[element].isLinkage { return true }
      element = tape.nodes[element].next
    }
    return value + 1 == node.next
  }

  /// Begins decoding the child at a node. If the child lacks its key, the key is filled in and
  /// refers to the parent.
  ///
  /// - Returns: The previous child, for ``end(_:)``.
  @usableFromInline
  func begin(_ parent: ChildParent, at node: Int) -> OpenChild? {
    let before = openChild
    openChild = OpenChild(node: node, parent: parent)
    return before
  }

  @usableFromInline
  func end(_ before: OpenChild?) { openChild = before }

  private func hasParentKey(_ type: Any.Type?, _ name: String, in record: Int) -> Bool {
    guard let type, let openChild, openChild.node == record else { return false }
    return openChild.parent.hasKey(type, named: name)
  }

  /// Returns the key that refers to the parent. Returns nil if `record` is not the child that is
  /// being decoded, or if the member is not the key according to its name or type.
  func parentKey<Value>(_ type: Value.Type, _ name: String, in record: Int) -> Value? {
    guard let openChild, openChild.node == record else { return nil }
    return openChild.parent.key(type, named: name)
  }
}

extension DecodingRun {
  /// Begins decoding the record at a node, with defaults for missing members.
  ///
  /// - Returns: The previous defaults, for ``end(_:)``.
  @usableFromInline
  func begin(_ defaults: [String: any Sendable], at node: Int) -> OpenDefaults? {
    let before = openDefaults
    openDefaults = OpenDefaults(node: node, values: defaults)
    return before
  }

  @usableFromInline
  func end(_ before: OpenDefaults?) { openDefaults = before }

  /// Returns whether a missing member has a default.
  func hasDefault(_ name: String, in record: Int) -> Bool {
    guard let openDefaults, openDefaults.node == record else { return false }
    return openDefaults.values[name] != nil
  }

  /// Returns the default of a missing member; nil if it has none.
  ///
  /// - Throws: `DecodingError.typeMismatch` if the default is of another type.
  func defaultValue<Value>(_ type: Value.Type, _ name: String, in record: Int) throws -> Value? {
    guard let openDefaults, openDefaults.node == record, let value = openDefaults.values[name]
    else { return nil }
    if let value = value as? Value { return value }
    throw DecodingError.typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath(record),
        debugDescription: "there is no \(name.quoted), and its default is of the type "
          + "\(Swift.type(of: value)), not \(type)"))
  }
}

/// A member with the short name of a reference, such as `author` for `authorID`. It was not read as
/// the reference, because it contains no objects. Its record has no member with the whole name.
@usableFromInline
struct PlainMember {
  /// The node of the member's value; the name is before it.
  let value: Int
  /// The name of the reference.
  let reference: String
}

/// The defaults of a record that is being decoded.
@usableFromInline
struct OpenDefaults {
  let node: Int
  let values: [String: any Sendable]
}

/// A child that is being decoded.
@usableFromInline
struct OpenChild {
  let node: Int
  let parent: ChildParent
}

extension DecodingRun {
  /// Decodes a dictionary. Its keys are data, and are read without a change of spelling.
  func dictionary<T: Decodable>(_ type: T.Type, _ node: Int) throws -> T {
    let before = openDictionary
    openDictionary = node
    defer { openDictionary = before }
    do {
      return try T(from: SourceDecoder(self, node))
    } catch DecodingError.dataCorrupted(let context) {
      if let type = type as? any KeyedByIDs.Type {
        for member in members(of: node) {
          guard let problem = type.problem(withKey: text(member)) else { continue }
          throw corrupted(member + 1, problem)
        }
      }
      throw DecodingError.dataCorrupted(context)
    }
  }
}

/// A dictionary with IDs as keys.
private protocol KeyedByIDs {
  /// Returns a description of the reason why a text is not a key; `nil` if it is one.
  static func problem(withKey text: String) -> String?
}

extension Dictionary: KeyedByIDs where Key: KeyOfEntity {
  fileprivate static func problem(withKey text: String) -> String? { Key.problem(withKey: text) }
}

private protocol KeyOfEntity {
  static func problem(withKey text: String) -> String?
}

extension EntityIdentifier: KeyOfEntity {
  fileprivate static func problem(withKey text: String) -> String? {
    if Self(codingKey: NamedKey(text)) != nil { return nil }
    let problem = "the key \(text.quoted) is not an ID of \(Entity.entityName)"
    guard text.utf8.first == Byte.openBrace,
      let type = Entity.EntityIDRawType.self as? any Decodable.Type
    else { return problem }
    do {
      _ = try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch DecodingError.keyNotFound(let key, _) {
      return problem + ": there is no \(key.stringValue.quoted) in it; the members of an ID in a "
        + "key have the names of its properties"
    } catch {
      // No member is missing, so advice about the names of members would not help.
    }
    return problem
  }
}

/// An entity that the input names as the type of a record, or of a reference to a record.
@usableFromInline
struct NamedEntity {
  let type: any EntityType.Type
  /// The name of the type in the input.
  let name: String
}

extension DecodingRun {
  /// Checks that a record or an ID is of an entity type, if the input names its entity.
  ///
  /// - Throws: `DecodingError.typeMismatch` if the input names another entity.
  @inlinable
  @inline(__always)
  func checkEntity<Entity: EntityType>(_ type: Entity.Type, at node: Int) throws {
    // Only some formats have names of types.
    if !namedEntities.isEmpty { try compareEntity(type, node) }
  }

  @usableFromInline
  func compareEntity<Entity: EntityType>(_ type: Entity.Type, _ node: Int) throws {
    guard let named = namedEntities[node], ObjectIdentifier(named.type) != ObjectIdentifier(type)
    else { return }
    let path = codingPath(node)
    let member = path.last { $0.intValue == nil }.map { " as \($0.stringValue.quoted)" } ?? ""
    throw DecodingError.typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription: "expected a row of \(Entity.entityName)\(member), found the type "
          + "\(named.name.quoted), which is \(named.type.entityName)"))
  }
}
