import EntiaCollections

/// Compares and merges the rows of an entity type by their members. Uses the generated code of the
/// entity type, or the encoded members if it has no generated code.
@usableFromInline
package struct RowMembers<Entity: EntityType> {
  @usableFromInline
  typealias Merging = (_ base: Entity, _ mine: Entity, _ theirs: Entity) -> Entity?

  /// Returns the row with the members that either side changed. Returns `nil` if both sides changed
  /// one member in different ways, or if the row cannot be merged by its members.
  let merged: Merging
  /// Returns the names of the members that both sides changed in different ways.
  let conflicts: (_ base: Entity, _ mine: Entity, _ theirs: Entity) -> [String]
  /// Returns the names of the encoded members that differ.
  let differing: (_ old: Entity, _ new: Entity) -> [String]
  /// Returns the names of the encoded and the transient members that differ.
  let allDiffering: (_ old: Entity, _ new: Entity) -> [String]
  /// Returns `committed` with the members in which `new` differs from `visible`. Returns `new` if
  /// the rows cannot be merged by their members.
  fileprivate let overlaid: (_ visible: Entity, _ new: Entity, _ committed: Entity) -> Entity
  /// Returns `row` with the transient members of `transients`.
  package let restored: (_ row: Entity, _ transients: Entity) -> Entity
}

extension RowMembers {
  /// Creates the functions for the entity type.
  package init() {
    if let type = Entity.self as? any (EntityType & RowCodable).Type {
      self = Self.generated(type)
    } else if let type = Entity.self as? any (EntityType & Codable).Type {
      self = Self.coded(type)
    } else {
      self.init(
        merged: { _, _, _ in nil }, conflicts: { _, _, _ in [] },
        differing: { ReflectedParts.differingParts($0, $1) },
        allDiffering: { ReflectedParts.differingParts($0, $1) }, overlaid: { _, new, _ in new },
        restored: { row, _ in row })
    }
  }

  /// Returns the row to commit when a row is assigned in place of the visible row.
  package func assigned(
    _ new: Entity, over visible: Entity, to committed: Entity
  ) -> Entity {
    haveSameValue(visible, committed) ? new : overlaid(visible, new, committed)
  }

  // In both functions, `Row` and `Entity` are the same type.

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
      allDiffering: { old, new in
        var merger = RowMerger.recording
        _ = Row(merging: old, with: new, base: old, by: &merger)
        return merger.changes
      },
      overlaid: { visible, new, committed in
        // In a conflict, the merger takes the member of the new row.
        var merger = RowMerger()
        let row = Row(merging: new, with: committed, base: visible, by: &merger)
        return row.hasID(new.entityID) ? row : new
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
        // If coding throws, the row is merged as one value. `nil` reports that both sides changed
        // it.
        try? CodedMembers.merged(base, mine, theirs)
      },
      conflicts: { base, mine, theirs in
        (try? CodedMembers.conflicts(base, mine, theirs)) ?? []
      },
      differing: { old, new in
        (try? CodedMembers.differing(old, new)) ?? ReflectedParts.differingParts(old, new)
      },
      allDiffering: { old, new in
        let transients = (old: TransientCopies(), new: TransientCopies())
        let names = try? CodedMembers.differing(old, new, transients)
        return names.map { $0 + transients.old.differences(from: transients.new) }
          ?? ReflectedParts.differingParts(old, new)
      },
      overlaid: { visible, new, committed in
        // If coding throws, the row is written as a whole.
        (try? CodedMembers.merged(visible, new, committed, prefersMine: true)) ?? new
      },
      restored: { new, transients in
        // The error is ignored here. Sharing encodes the change of the row, too, and then reports
        // the reason.
        (try? CodedMembers.restored(new, transients)) ?? new
      })
    return recast(members, as: Self.self)
  }
}

extension EntityUpdate {
  /// The names of the members whose values differ, in the order of their declaration. A member is
  /// named as it is encoded, or like its property if the entity is not `Codable`. Transient members
  /// are left out, because they are not encoded.
  /// - Complexity: That of encoding both values if the entity is `Codable` without generated code.
  public var differingMembers: [String] { RowMembers().differing(old, new) }
}

/// The names under which generated code writes the members of a row.
private struct MemberNames: RowWriter {
  static var hasNestedEntities: Bool { false }

  private var names: Set<String> = []

  static func names(of row: some RowCodable) -> Set<String> {
    var names = MemberNames()
    // No error is lost, because only encoding a value throws, and no value is encoded here.
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

/// Compares and merges rows by the members that they encode.
enum CodedMembers {
  /// Merges two versions of a row by taking each member from the side that changed it.
  ///
  /// If both sides changed one member in different ways, the member of *mine* is taken if
  /// `prefersMine`; otherwise, the result is `nil`. The result is also `nil` in these cases:
  /// - A version is not encoded as an object, or does not equal the row decoded from its members.
  /// - The merged row has another ID than `base`, or is not encoded as the merged members.
  static func merged<Row: EntityType & Codable>(
    _ base: Row, _ mine: Row, _ theirs: Row, prefersMine: Bool = false
  ) throws -> Row? {
    let transients = (base: TransientCopies(), mine: TransientCopies(), theirs: TransientCopies())
    guard let old = try members(of: base, transients.base),
      let first = try members(of: mine, transients.mine),
      let second = try members(of: theirs, transients.theirs),
      transients.mine.merge(transients.theirs, base: transients.base).isEmpty || prefersMine
    else { return nil }
    var merged = first
    for name in Set(old.keys).union(first.keys).union(second.keys) {
      let (base, mine, theirs) = (old[name], first[name], second[name])
      if try MemberNode.haveSameValue(theirs, base) { continue }
      if try areInConflict(base, mine, theirs) {
        if prefersMine { continue }
        return nil
      }
      merged[name] = theirs
    }
    let row = try transients.mine.restore {
      try MemberSource.row(Row.self, of: merged)
    }
    guard row.entityID == base.entityID, try isMade(row, of: merged) else { return nil }
    return row
  }

  /// Whether both sides changed a member to different values. The caller has already checked that
  /// *theirs* differs from *base*.
  private static func areInConflict(
    _ base: MemberNode?, _ mine: MemberNode?, _ theirs: MemberNode?
  ) throws -> Bool {
    if try MemberNode.haveSameValue(mine, base) { return false }
    return try !MemberNode.haveSameValue(mine, theirs)
  }

  /// Whether a row has exactly the members `merged` when the row is encoded again. If not, the
  /// decoder changed some members to fit other members. The row may then lack an edit, or have a
  /// value that neither side has.
  private static func isMade<Row: EntityType & Codable>(
    _ row: Row, of merged: [String: MemberNode]
  ) throws -> Bool {
    guard let members = try members(of: row, TransientCopies()), members.count == merged.count
    else { return false }
    return try merged.allSatisfy { try MemberNode.haveSameValue($1, members[$0]) }
  }

  /// Returns the encoded members of a row, or `nil` if the row is not encoded as an object or does
  /// not equal the row decoded from its members.
  /// - Parameter transients: Receives the transient members of the row.
  private static func members<Row: EntityType & Codable>(
    of row: Row, _ transients: TransientCopies
  ) throws -> [String: MemberNode]? {
    guard let members = try transients.collect({ try MemberNode.members(of: row) }) else {
      return nil
    }
    let decoded = try transients.restore {
      try MemberSource.row(Row.self, of: members)
    }
    return haveSameValue(decoded, row) ? members : nil
  }

  /// Returns the names of the members that both sides changed in different ways.
  static func conflicts<Row: EntityType & Codable>(
    _ base: Row, _ mine: Row, _ theirs: Row
  ) throws -> [String] {
    let transients = (base: TransientCopies(), mine: TransientCopies(), theirs: TransientCopies())
    guard let old = try transients.base.collect({ try MemberNode.object(of: base) }),
      let first = try transients.mine.collect({ try MemberNode.object(of: mine) }),
      let second = try transients.theirs.collect({ try MemberNode.object(of: theirs) })
    else { return [] }
    let lists = (MemberNode.byName(old), MemberNode.byName(first), MemberNode.byName(second))
    let names = try names(in: [old, first, second]).filter { name in
      let (base, mine, theirs) = (lists.0[name], lists.1[name], lists.2[name])
      return try !MemberNode.haveSameValue(theirs, base) && areInConflict(base, mine, theirs)
    }
    return names + transients.mine.merge(transients.theirs, base: transients.base)
  }

  /// Returns the names of the members that differ, or `nil` if the rows are not encoded as objects.
  /// - Parameter transients: The collections that receive the transient members of the rows.
  static func differing<Row: EntityType & Codable>(
    _ old: Row, _ new: Row,
    _ transients: (old: TransientCopies, new: TransientCopies) = (.init(), .init())
  ) throws -> [String]? {
    guard let before = try transients.old.collect({ try MemberNode.object(of: old) }),
      let after = try transients.new.collect({ try MemberNode.object(of: new) })
    else { return nil }
    let lists = (MemberNode.byName(before), MemberNode.byName(after))
    return try names(in: [before, after]).filter { name in
      try !MemberNode.haveSameValue(lists.0[name], lists.1[name])
    }
  }

  /// Returns the names of the members of several versions, each name once. A name that only a later
  /// version has is inserted after its predecessor in that version.
  private static func names(in versions: [[(name: String, value: MemberNode)]]) -> [String] {
    var names: [String] = []
    for version in versions {
      var end = 0
      for (name, _) in version {
        if let index = names.firstIndex(of: name) {
          end = index + 1
        } else {
          names.insert(name, at: end)
          end += 1
        }
      }
    }
    return names
  }

  /// Returns a new row with the transient members of another row, or `nil` if the new row is not
  /// encoded as an object.
  static func restored<Row: EntityType & Codable>(_ new: Row, _ source: Row) throws -> Row? {
    let transients = TransientCopies()
    _ = try transients.collect { try MemberNode.object(of: source) }
    guard let members = try MemberNode.members(of: new) else { return nil }
    return try transients.restore { try MemberSource.row(Row.self, of: members) }
  }
}
