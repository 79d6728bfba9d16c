import EntiaCollections

/// Compares and merges the rows of an entity type by their members: by generated code if the entity
/// has some, and otherwise by the members that it encodes.
package struct RowMembers<Entity: EntityType> {
  /// Returns the row with the members that either side changed, or `nil` if both sides changed one
  /// member in different ways, or if the members of the row cannot be merged.
  let merged: (_ base: Entity, _ mine: Entity, _ theirs: Entity) -> Entity?
  /// Returns the names of the members that both sides changed in different ways.
  let conflicts: (_ base: Entity, _ mine: Entity, _ theirs: Entity) -> [String]
  /// Returns the names of the encoded members that differ.
  let differing: (_ old: Entity, _ new: Entity) -> [String]
  /// Returns a row with the transient members of another one.
  package let restored: (_ row: Entity, _ transients: Entity) -> Entity
}

extension RowMembers {
  /// Creates the members of the entity type.
  package init() {
    if let type = Entity.self as? any RowCodable.Type {
      self = Self.generated(type)
    } else if let type = Entity.self as? any (EntityType & Codable).Type {
      self = Self.coded(type)
    } else {
      self.init(
        merged: { _, _, _ in nil }, conflicts: { _, _, _ in [] },
        differing: { ReflectedParts.differingParts($0, $1) }, restored: { row, _ in row })
    }
  }

  private static func generated<Row: RowCodable>(_ type: Row.Type) -> Self {
    // Both are one type.
    func row(_ entity: Entity) -> Row { unsafeBitCast(entity, to: Row.self) }
    return Self(
      merged: { base, mine, theirs in
        var merger = RowMerger()
        let merged = unsafeBitCast(
          Row(merging: row(mine), with: row(theirs), base: row(base), by: &merger),
          to: Entity.self)
        return merger.conflicts.isEmpty && merged.hasID(base.entityID) ? merged : nil
      },
      conflicts: { base, mine, theirs in
        var merger = RowMerger()
        _ = Row(merging: row(mine), with: row(theirs), base: row(base), by: &merger)
        return merger.conflicts
      },
      differing: { old, new in
        var merger = RowMerger(of: MemberNames.names(of: row(new)))
        _ = Row(merging: row(old), with: row(new), base: row(old), by: &merger)
        return merger.changes
      },
      restored: { new, transients in
        let source = row(transients)
        var merger = RowMerger(of: MemberNames.names(of: source))
        let merged = Row(merging: source, with: row(new), base: source, by: &merger)
        return unsafeBitCast(merged, to: Entity.self)
      })
  }

  private static func coded<Row: EntityType & Codable>(_ type: Row.Type) -> Self {
    // Both are one type.
    func row(_ entity: Entity) -> Row { unsafeBitCast(entity, to: Row.self) }
    return Self(
      merged: { base, mine, theirs in
        // If the members cannot be coded, the row is one value, and both sides changed it.
        let merged = try? CodedMembers.merged(row(base), row(mine), row(theirs))
        return merged.map { unsafeBitCast($0, to: Entity.self) }
      },
      conflicts: { base, mine, theirs in
        (try? CodedMembers.conflicts(row(base), row(mine), row(theirs))) ?? []
      },
      differing: { old, new in
        (try? CodedMembers.differing(row(old), row(new)))
          ?? ReflectedParts.differingParts(old, new)
      },
      restored: { new, transients in
        // A row that cannot be coded is refused where it is sent, with the reason.
        let restored = try? CodedMembers.restored(row(new), row(transients))
        return restored.map { unsafeBitCast($0, to: Entity.self) } ?? new
      })
  }
}

extension EntityUpdate {
  /// The names of the members whose values differ, in the order of their declaration. They are the
  /// names under which the entity is encoded, or those of the properties if it is not `Codable`.
  /// Transient members are not encoded, and are left out.
  /// - Complexity: That of encoding both values if the entity is `Codable` without generated code.
  public var differingMembers: [String] { RowMembers().differing(old, new) }
}

/// The names under which generated code writes the members of a row.
private struct MemberNames: RowWriter {
  static var hasNestedEntities: Bool { false }

  private var names: Set<String> = []

  static func names(of row: some RowCodable) -> Set<String> {
    var names = MemberNames()
    // The only errors are those of values, which are not written.
    try? row.write(to: &names)
    return names.names
  }

  private mutating func add(_ name: StaticString) { names.insert(name.description) }

  mutating func setMember(_ name: StaticString, to value: String) { add(name) }
  mutating func setMember(_ name: StaticString, to value: Int) { add(name) }
  mutating func setMember(_ name: StaticString, to value: Double) { add(name) }
  mutating func setMember(_ name: StaticString, to value: Bool) { add(name) }
  mutating func setValue<Value: Encodable>(_ name: StaticString, to value: Value) { add(name) }
  mutating func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) {
    add(name)
  }
  mutating func setMissing(_ name: StaticString) { add(name) }
  mutating func setNull(_ name: StaticString) { add(name) }
}
