import EntiaCollections

/// Compares and merges the rows of an entity type by their members: by generated code if the entity
/// has some, and otherwise by the members that it encodes.
@usableFromInline
package struct RowMembers<Entity: EntityType> {
  @usableFromInline
  typealias Merging = (_ base: Entity, _ mine: Entity, _ theirs: Entity) -> Entity?

  /// Returns the row with the members that either side changed, or `nil` if both sides changed one
  /// member in different ways, or if the members of the row cannot be merged.
  let merged: Merging
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
    if let type = Entity.self as? any (EntityType & RowCodable).Type {
      self = Self.generated(type)
    } else if let type = Entity.self as? any (EntityType & Codable).Type {
      self = Self.coded(type)
    } else {
      self.init(
        merged: { _, _, _ in nil }, conflicts: { _, _, _ in [] },
        differing: { ReflectedParts.differingParts($0, $1) }, restored: { row, _ in row })
    }
  }

  // The types of rows and entities are one type.

  private static func generated<Row: EntityType & RowCodable>(_ type: Row.Type) -> Self {
    let members = RowMembers<Row>(
      merged: { base, mine, theirs in
        var merger = RowMerger()
        let merged = Row(merging: mine, with: theirs, base: base, by: &merger)
        return merger.conflicts.isEmpty && merged.hasID(base.entityID) ? merged : nil
      },
      conflicts: { base, mine, theirs in
        var merger = RowMerger()
        _ = Row(merging: mine, with: theirs, base: base, by: &merger)
        return merger.conflicts
      },
      differing: { old, new in
        var merger = RowMerger(of: MemberNames.names(of: new))
        _ = Row(merging: old, with: new, base: old, by: &merger)
        return merger.changes
      },
      restored: { new, transients in
        var merger = RowMerger(of: MemberNames.names(of: transients))
        return Row(merging: transients, with: new, base: transients, by: &merger)
      })
    return recast(members, as: Self.self)
  }

  private static func coded<Row: EntityType & Codable>(_ type: Row.Type) -> Self {
    let members = RowMembers<Row>(
      merged: { base, mine, theirs in
        // If the members cannot be coded, the row is one value, and both sides changed it.
        try? CodedMembers.merged(base, mine, theirs)
      },
      conflicts: { base, mine, theirs in
        (try? CodedMembers.conflicts(base, mine, theirs)) ?? []
      },
      differing: { old, new in
        (try? CodedMembers.differing(old, new)) ?? ReflectedParts.differingParts(old, new)
      },
      restored: { new, transients in
        // A row that cannot be coded is refused where it is sent, with the reason.
        (try? CodedMembers.restored(new, transients)) ?? new
      })
    return recast(members, as: Self.self)
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
