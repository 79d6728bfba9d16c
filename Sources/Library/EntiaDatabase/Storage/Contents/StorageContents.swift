public import EntiaCollections

/// The parts of a database: its tables, relationships and indexes as plain stored properties.
///
/// ```swift
/// struct Contents: StorageContents {
///   var authors = Tables.Hash<Author>()
///   var books = Tables.Hash<Book>()
///   var bookAuthor = ToOne<Book, Author>(\.authorID, onDelete: .cascade)
///
///   static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
///   where Visitor.Contents == Self {
///     visitor.table("authors", \.authors)
///     visitor.table("books", \.books)
///     visitor.relationship("bookAuthor", \.bookAuthor)
///   }
/// }
/// ```
///
/// An entity type may have at most one table. Every operation of Entia on a database as a whole
/// uses the list of its parts.
public protocol StorageContents: Sendable {
  /// Calls the visitor with every part and its name, in the order of their declaration.
  static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Self

  /// The key path of `entityID` of each entity type, as in `[\Author.entityID, \Book.entityID]`;
  /// empty by default. By these key paths, a fetch recognizes the primary key in a predicate such
  /// as `#Predicate { $0.entityID == id }`.
  ///
  /// A storage lists the key paths explicitly, because a key path that generic code creates is not
  /// equal to the key path in a predicate. A stored `id` of an `Identifiable` entity is recognized
  /// without these key paths.
  static var entityIDPaths: [AnyKeyPath] { get }
}

extension StorageContents {
  /// Empty, so that a predicate on `entityID` scans the table.
  public static var entityIDPaths: [AnyKeyPath] { [] }
}

extension StorageContents {
  /// Stops the process with a message if a hand-written storage lists two tables of one entity
  /// type, two parts with one name, or a part of an entity type without a table. Otherwise, rows
  /// would be lost or be stored in the wrong table. No data can cause this mistake, and creating
  /// the first database of the type reveals it.
  static func requireConsistentParts() {
    var check = PartsCheck<Self>()
    visitParts(&check)
    check.requireTables()
  }

  /// Stops the process unless this database has a table of an entity type.
  static func requireTable<Entity: EntityType>(of entity: Entity.Type) {
    var search = TableSearch<Self, Entity>()
    visitParts(&search)
    if !search.isFound { missingTable(of: entity) }
  }

  /// Stops the process because the program uses an entity type that has no table in this
  /// database.
  @usableFromInline
  @inline(never)
  static func missingTable<Entity: EntityType>(of entity: Entity.Type) -> Never {
    preconditionFailure(missingTableMessage(Entity.entityName))
  }

  /// Returns the message about an entity type without a table.
  static func missingTableMessage(_ entity: String, usedBy part: String? = nil) -> String {
    let user = part.map { ", which '\($0)' needs" } ?? ""
    return
      "\(TypeName.ofStorage(of: Self.self)) has no table of \(entity)\(user); add a table, as in "
      + "'@Table var rows: Tables.Hash<\(entity)> = .init()'"
  }
}

private struct TableSearch<Contents: StorageContents, Wanted: EntityType>: StorageVisitor {
  var isFound = false

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if Table.Entity.self == Wanted.self { isFound = true }
  }
}

private struct PartsCheck<Contents: StorageContents>: StorageVisitor {
  private var tables: [ObjectIdentifier: String] = [:]
  private var names: Set<String> = []
  private var uses: [(entity: ObjectIdentifier, name: String, part: String)] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    note(name)
    let other = tables.updateValue(name, forKey: ObjectIdentifier(Table.Entity.self))
    precondition(
      other == nil,
      "\(TypeName.ofStorage(of: Contents.self)) has two tables of \(Table.Entity.entityName): "
        + "\(other ?? "") and \(name)")
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    note(name)
    noteUse(of: Relationship.Holder.self, by: name)
    noteUse(of: Relationship.Target.self, by: name)
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    note(name)
    if let check = Check.self as? any RowCheck.Type { noteUse(ofRowsOf: check, by: name) }
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    note(name)
    noteUse(of: Index.Entity.self, by: name)
  }

  /// Stops the process when the entity type of a part has no table.
  func requireTables() {
    for use in uses {
      precondition(
        tables[use.entity] != nil, Contents.missingTableMessage(use.name, usedBy: use.part))
    }
  }

  private mutating func note(_ name: String) {
    precondition(
      names.insert(name).inserted,
      "\(TypeName.ofStorage(of: Contents.self)) has two parts named \(name)")
  }

  private mutating func noteUse<Entity: EntityType>(of entity: Entity.Type, by part: String) {
    uses.append((ObjectIdentifier(entity), Entity.entityName, part))
  }

  private mutating func noteUse<Check: RowCheck>(ofRowsOf check: Check.Type, by part: String) {
    noteUse(of: Check.Checked.self, by: part)
  }
}

extension UnsafePointer where Pointee: StorageContents {
  /// Whether every table and every collection of held IDs is the same version as in the other
  /// contents. The caller keeps both contents alive.
  @inlinable
  func hasIdenticalTables(_ other: Self, _ layout: ContentsLayout) -> Bool {
    var search = IdenticalTableSearch<Pointee>(
      pairs: TablePairs(self, other, offsets: layout.tables))
    Pointee.visitParts(&search)
    return search.isIdentical
      && (!layout.hasHeldIDs || pointee.hasEqualHeldIDs(other.pointee, onlyIdentical: true))
  }
}

/// Checks whether the tables of two versions share all their rows.
@frozen
@usableFromInline
struct IdenticalTableSearch<Contents: StorageContents>: TablePairVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var isIdentical = true

  @inlinable
  init(pairs: TablePairs) { self.pairs = pairs }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if isIdentical { isIdentical = pair.isSame }
  }
}

extension StorageContents {
  /// Rebuilds every relationship and index from the rows.
  /// - Complexity: O(*n*).
  @usableFromInline
  mutating func rebuildDerivedParts() {
    withUnsafeMutablePointer(to: &self) { contents in
      var rebuild = Rebuild(contents: contents)
      Self.visitParts(&rebuild)
    }
  }
}

private struct Rebuild<Contents: StorageContents>: RebuildableIndexVisitor {
  let contents: UnsafeMutablePointer<Contents>

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = contents.part(at: path)
    relationship.pointee.removeAllLinks()
    guard let table = contents.table(of: Relationship.Holder.self) else { return }
    if Relationship.isToMany {
      table.copy.visitRows { relationship.pointee.holderChanged(from: nil, to: $0) }
      return
    }
    var builder = LinkBuilder<Relationship.Holder, Relationship.Target>(capacity: 0)
    // The relationship is a `ToOne`, because every relationship is a `ToOne` or a `ToMany`.
    let toOne = UnsafeMutableRawPointer(relationship)
      .assumingMemoryBound(to: ToOne<Relationship.Holder, Relationship.Target>.self)
    table.copy.visitRows { holder in
      if let target = toOne.pointee.targetID(of: holder) {
        builder.link(holder.entityID, to: target)
      }
    }
    toOne.pointee.links = builder.links()
  }

  mutating func rebuildableIndex<Index: RebuildableIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    let index = contents.part(at: path)
    let table = contents.table(of: Index.Entity.self)?.copy
    index.pointee.rebuild { visit in table?.visitRows(visit) }
  }
}

/// Iterates over the tables of two versions in pairs, in the order in which the storage lists them.
///
/// The caller keeps both versions alive.
@frozen
@usableFromInline
struct TablePairs {
  @usableFromInline let old: UnsafeRawPointer
  @usableFromInline let new: UnsafeRawPointer
  @usableFromInline let offsets: UnsafeMutablePointer<Int>
  @usableFromInline var index = 0

  @inlinable
  init<Contents: StorageContents>(
    _ old: UnsafePointer<Contents>, _ new: UnsafePointer<Contents>,
    offsets: UnsafeMutablePointer<Int>
  ) {
    self.old = UnsafeRawPointer(old)
    self.new = UnsafeRawPointer(new)
    self.offsets = offsets
  }

  /// Returns the next pair of tables, whose type the caller passes.
  @inlinable
  @inline(__always)
  mutating func next<Table: TableType>(_ type: Table.Type) -> TablePair<Table> {
    let offset = offsets[index]
    index &+= 1
    return TablePair(
      old: (old + offset).assumingMemoryBound(to: Table.self),
      new: (new + offset).assumingMemoryBound(to: Table.self))
  }
}

/// A visitor of the tables of two versions in pairs.
@usableFromInline
protocol TablePairVisitor: StorageVisitor {
  var pairs: TablePairs { get set }

  mutating func visit<Table: TableType>(_ pair: TablePair<Table>)
}

extension TablePairVisitor {
  @inlinable
  @inline(__always)
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    visit(pairs.next(Table.self))
  }
}

/// One table in two versions.
@frozen
@usableFromInline
struct TablePair<Table: TableType> {
  @usableFromInline let old: UnsafePointer<Table>
  @usableFromInline let new: UnsafePointer<Table>

  @inlinable
  init(old: UnsafePointer<Table>, new: UnsafePointer<Table>) {
    self.old = old
    self.new = new
  }

  /// Whether both versions share all their rows: `true` means equal, `false` means unknown.
  @inlinable
  @inline(__always)
  var isSame: Bool {
    if Table.isOrdered { return new.pointee.isIdentical(to: old.pointee) }
    // The tables are compared at their addresses, because copies of them would be retained.
    return Hash.Rows.isSame(Hash.rows(at: old), Hash.rows(at: new))
  }

  @usableFromInline typealias Hash = Tables.Hash<Table.Entity>

  /// Calls the closure with the ID of each row that differs. The table must be a `Tables.Hash`.
  ///
  /// - Returns: Whether some equal rows may have different places in the two versions.
  @inlinable
  @inline(__always)
  @discardableResult
  func visitDifferingIDs(_ body: (Table.Entity.EntityID) -> Void) -> Bool {
    Hash.Rows.visitDifferingKeys(Hash.rows(at: old), Hash.rows(at: new), body)
  }
}
