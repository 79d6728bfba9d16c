import EntiaCollections
import EntiaDatabase

/// All readable contents of a version, copied into plain arrays and dictionaries.
struct StorageImage: Equatable {
  /// The rows of each table, in order.
  var tables: [[AnyRow]] = []
  /// The keys of each ordered table, in order.
  var orders: [[AnyRowID]] = []
  /// The held IDs of each ordered collection, in order.
  var held: [[AnyRowID]] = []
  /// The held IDs of each collection, regardless of their order.
  var heldSets: [Set<AnyRowID>] = []
  /// For each relationship, the holders of each target, in order. A target may have no row.
  var links: [[AnyRowID: [AnyRowID]]] = []

  /// Reads a version.
  init<Storage>(of storage: Storage, _ parts: CheckedParts<Storage>) {
    let contents = storage.snapshot.contents
    tables = parts.tables.map { $0.rows(contents) }
    orders = parts.tables.filter(\.isOrdered).map { $0.rows(contents).map(\.key) }
    held = parts.heldIDs.filter(\.isOrdered).map { $0.ids(contents) }
    heldSets = parts.heldIDs.map { Set($0.ids(contents)) }
    let keys = tables.joined().map(\.key)
    links = parts.relationships.map { relationship in
      let targets = relationship.linkedTargets(contents)
      let stored = keys.filter { $0.entity == relationship.target }
      var result: [AnyRowID: [AnyRowID]] = [:]
      for target in targets + stored {
        let holders = relationship.holders(contents, target)
        if !holders.isEmpty { result[target] = holders }
      }
      return result
    }
  }

  /// All rows by their keys: the content without any order.
  var content: [AnyRowID: AnyRow] {
    Dictionary(tables.joined().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the rows and held IDs are equal, and have the same order in ordered tables and
  /// collections.
  func hasSameContent(as other: Self) -> Bool {
    content == other.content && orders == other.orders && held == other.held
      && heldSets == other.heldSets
  }

  /// Returns the number of held IDs that were inserted or removed since an older version, plus one
  /// for each collection that only changed its order.
  func heldChangeCount(since old: Self) -> Int {
    let counts = zip(heldSets, old.heldSets).map { $0.symmetricDifference($1).count }
    return counts.reduce(0, +) + reorderedCount(since: old)
  }

  private func reorderedCount(since old: Self) -> Int {
    zip(held, old.held).count { $0 != $1 && Set($0) == Set($1) }
  }

  /// Returns the rows that differ between an older image and this image. Compares all rows.
  func transitions(from old: Self) -> [AnyRowID: (old: AnyRow?, new: AnyRow?)] {
    let (before, after) = (old.content, content)
    var result: [AnyRowID: (old: AnyRow?, new: AnyRow?)] = [:]
    for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
      result[key] = (before[key], after[key])
    }
    return result
  }
}

/// The ID of an entity of any type.
struct AnyRowID: Hashable, CustomStringConvertible {
  let entity: ObjectIdentifier
  let id: AnyHashable

  init<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    entity = ObjectIdentifier(Entity.self)
    self.id = AnyHashable(id)
  }

  static func == (a: Self, b: Self) -> Bool { a.entity == b.entity && a.id == b.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(id)
  }

  /// The name and the ID as text, which only failures and violations need.
  var label: EntityLabel {
    guard let id = id.base as? any LabeledID else { preconditionFailure("no ID of an entity") }
    return id.label
  }

  var description: String { label.description }
}

/// The ID of an entity whose type is known only at run time.
private protocol LabeledID {
  var label: EntityLabel { get }
}

extension EntityIdentifier: LabeledID {
  fileprivate var label: EntityLabel { EntityLabel(self) }
}

/// An entity of any type.
struct AnyRow: Equatable, CustomStringConvertible {
  let key: AnyRowID
  let entity: any EntityType

  init<Entity: EntityType>(_ entity: Entity) {
    key = AnyRowID(entity.entityID)
    self.entity = entity
  }

  static func == (a: Self, b: Self) -> Bool { isEqual(a.entity, b.entity) }

  /// Returns this row with the transient members of `other`, which is another version of the row.
  /// If the two differ in a member that is not transient, the row is returned unchanged.
  func restored(from other: AnyRow) -> AnyRow { Self.restored(entity, from: other.entity) }

  private static func restored<Entity: EntityType>(
    _ row: Entity, from other: any EntityType
  ) -> AnyRow {
    guard let other = other as? Entity else { return AnyRow(row) }
    let members = zip(Mirror(reflecting: row).children, Mirror(reflecting: other).children)
    let stored = members.filter { !($0.0.value is any AnyTransientMember) }
    guard stored.count < Mirror(reflecting: row).children.count,
      stored.allSatisfy({ ReflectedParts.areSame($0.0.value, $0.1.value) })
    else { return AnyRow(row) }
    return AnyRow(RowMembers<Entity>().restored(row, other))
  }

  private static func isEqual<Entity: EntityType>(_ a: Entity, _ b: any EntityType) -> Bool {
    (b as? Entity).map { haveSameValue($0, a) } ?? false
  }

  var description: String { "\(key)" }
}
