import EntiaCollections
import EntiaDatabase

/// The references of all rows, with an index from rows to their holders. The rows of all entities
/// are in one table, so their references are one relationship.
///
/// Most rows have one holder. The index stores a single holder without an array, because after the
/// import of a large file, nearly every row has an entry in the index.
struct RecordReferences: RelationshipType {
  typealias Holder = Record
  typealias Target = Record

  typealias ID = Record.EntityID

  /// The holders of one row, in the order in which the links were added.
  enum Holders: Sendable {
    case one(ID)
    case few([ID])
    case many(ManyHolders)
  }

  /// A large set of holders. It is stored outside the links, so that the usual link with one holder
  /// needs no more space.
  final class ManyHolders: @unchecked Sendable {
    // Unchecked because of the table. It is mutated only while uniquely referenced.
    fileprivate var ids: PersistentTable<SelfKeyed<ID>>

    fileprivate init(_ ids: PersistentTable<SelfKeyed<ID>>) { self.ids = ids }
  }

  // Imported rows may refer to rows that do not exist. A later import may insert the missing rows.
  var traits: RelationshipTraits { RelationshipTraits(.orderedToMany, .keepDangling, .keep) }

  private var links = PersistentTable<EntryKeyed<ID, Holders>>()
  /// The rows whose links have not been built; `nil` if all links have been built.
  private var unlinkedRows: Tables.Hash<Record>?

  func targetIDs(of holder: Record) -> [Record.EntityID] { holder.references }

  func holderIDs(of target: Record.EntityID) -> [Record.EntityID] {
    switch holders(of: target) {
    case nil: []
    case .one(let id): [id]
    case .few(let ids): ids
    case .many(let many): Array(many.ids)
    }
  }

  func isReferenced(_ target: Record.EntityID) -> Bool { holders(of: target) != nil }

  func isReferenced(_ target: Record.EntityID, by holder: Record.EntityID) -> Bool {
    switch holders(of: target) {
    case nil: false
    case .one(let id): id == holder
    case .few(let ids): ids.contains(holder)
    case .many(let many): many.ids.contains(holder)
    }
  }

  func holderCount(of target: Record.EntityID) -> Int {
    switch holders(of: target) {
    case nil: 0
    case .one: 1
    case .few(let ids): ids.count
    case .many(let many): many.ids.count
    }
  }

  var linkedTargetIDs: [Record.EntityID] {
    var linked = self
    linked.buildLinks()
    return linked.links.map(\.key)
  }

  private func holders(of target: Record.EntityID) -> Holders? {
    guard let unlinkedRows else { return links[target]?.value }
    var result: Holders?
    for row in unlinkedRows {
      var isHolder = false
      row.body.targets.visit { isHolder = isHolder || ID($0) == target }
      if !isHolder { continue }
      if result?.insert(row.entityID) == nil { result = .one(row.entityID) }
    }
    return result
  }

  // The delete rule keeps dangling references, so that no reference is removed.
  func nullify(_ targets: Set<Record.EntityID>, in holder: inout Record) {}

  mutating func removeAllLinks() {
    links = PersistentTable()
    unlinkedRows = nil
  }

  /// Removes all links, and defers building the links of some rows until a row changes. Until then,
  /// the holders of a row are found by a scan of these rows.
  mutating func deferLinks(of rows: Tables.Hash<Record>) {
    removeAllLinks()
    unlinkedRows = rows
  }

  private mutating func buildLinks() {
    guard let rows = unlinkedRows.take() else { return }
    for row in rows { row.body.targets.visit { link(row.entityID, to: $0) } }
  }

  mutating func holderChanged(from old: Record?, to new: Record?) {
    if unlinkedRows != nil { buildLinks() }
    guard let old else {
      if let new { new.body.targets.visit { link(new.entityID, to: $0) } }
      return
    }
    let kept = new.map { $0.id == old.id ? Set($0.references) : [] } ?? []
    if let new, new.id == old.id, new.body.targets == old.body.targets { return }
    for target in Set(old.references) where !kept.contains(target) {
      unlink(old.entityID, from: target)
    }
    if let new { new.body.targets.visit { link(new.entityID, to: $0) } }
  }

  private mutating func link(_ holder: ID, to target: RecordID) {
    let isLinked: Void? = links.update(ID(target)) { $0.value.insert(holder) }
    if isLinked == nil {
      links.updateOrInsert(KeyValueEntry(key: ID(target), value: .one(holder)))
    }
  }

  private mutating func unlink(_ holder: ID, from target: ID) {
    if links.update(target, { $0.value.remove(holder) }) == true { links.remove(target) }
  }
}

extension RecordReferences.Holders {
  /// The number of holders up to which an array is better than a table.
  private static let fewLimit = 16

  fileprivate mutating func insert(_ holder: Record.EntityID) {
    // The payload is moved out first, so that it is mutated in place.
    switch consume self {
    case .one(let id):
      self = id == holder ? .one(id) : .few([id, holder])
    case .few(var ids):
      if !ids.contains(holder) { ids.append(holder) }
      self =
        ids.count > Self.fewLimit
        ? .many(RecordReferences.ManyHolders(PersistentTable(ids))) : .few(ids)
    case .many(var many):
      Self.own(&many)
      many.ids.updateOrInsert(holder)
      self = .many(many)
    }
  }

  /// Removes a holder, and returns whether none is left.
  fileprivate mutating func remove(_ holder: Record.EntityID) -> Bool {
    switch consume self {
    case .one(let id):
      self = .one(id)
      return id == holder
    case .few(var ids):
      ids.removeAll { $0 == holder }
      self = .few(ids)
      return ids.isEmpty
    case .many(var many):
      Self.own(&many)
      many.ids.remove(holder)
      self = many.ids.count <= Self.fewLimit / 2 ? .few(Array(many.ids)) : .many(many)
      return many.ids.isEmpty
    }
  }

  /// Copies the holders unless they are uniquely referenced.
  private static func own(_ many: inout RecordReferences.ManyHolders) {
    if !isKnownUniquelyReferenced(&many) { many = RecordReferences.ManyHolders(many.ids) }
  }
}
