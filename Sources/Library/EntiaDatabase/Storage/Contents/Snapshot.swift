import EntiaCollections

/// One immutable version of a database's contents, behind one reference.
///
/// A storage has exactly one stored property: its snapshot. A copy of the storage, a stored version
/// and a view therefore cost one reference each, independent of the number of tables.
///
/// The contents of a snapshot cannot be changed. A table therefore cannot be written without its
/// indexes, relationships and rules. A batch checks new contents at its end, and the storage's
/// `init(validating:)` checks tables that were filled by hand. The exception is `init(_:)`, which
/// accepts rows that violate a rule. The first batch then checks these rows.
@frozen
public struct Snapshot<Contents: StorageContents>: Sendable {
  @usableFromInline
  final class Box: StorageVersion, @unchecked Sendable {
    /// The contents, for reads by name. Reading a constant property of an object retains only the
    /// object.
    @usableFromInline let contents: Contents
    // `Sendable` is unchecked because of `address`. The memory is written before the box can be
    // read, is only read while the box is retained, and is freed with the box.
    /// The address of a copy of `contents`, for reads by key path. A read by key path accesses only
    /// the part at the key path.
    @usableFromInline let address: UnsafeMutablePointer<Contents>

    convenience init(_ contents: Contents, isUnvalidated: Bool = false) {
      let address = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
      address.initialize(to: contents)
      self.init(
        adopting: address, ContentsLayout(address, isUnvalidated: isUnvalidated))
    }

    @inlinable
    convenience init(_ contents: Contents, _ layout: ContentsLayout) {
      let address = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
      address.initialize(to: contents)
      self.init(adopting: address, layout)
    }

    /// Creates a box that takes over the memory of the contents. The box frees the memory, which
    /// must not be written any more.
    @inlinable
    init(adopting address: UnsafeMutablePointer<Contents>, _ layout: ContentsLayout) {
      if Self.sharesBytes {
        let contents = address.move()
        withUnsafeBytes(of: contents) {
          UnsafeMutableRawPointer(address).copyMemory(
            from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
        }
        self.contents = contents
      } else {
        contents = address.pointee
      }
      self.address = address
      super.init(UnsafeRawPointer(address), layout, KeyCollector<Contents>.function)
    }

    /// Whether the memory at `address` is a plain copy of the bytes of `contents`. Otherwise, the
    /// memory contains a second value, which retains and releases every part once more. A second
    /// value is necessary only if the bytes depend on their address, like the bytes of a weak
    /// reference.
    @inlinable static var sharesBytes: Bool { _isBitwiseTakable(Contents.self) }

    override func hasOtherHeldIDs(than other: StorageVersion) -> Bool {
      // Versions of the same database have contents of the same type.
      !contents.hasEqualHeldIDs(unsafeDowncast(other, to: Box.self).contents)
    }

    override func hasOtherFreshness(than other: StorageVersion) -> Bool {
      !contents.hasIdenticalFreshness(unsafeDowncast(other, to: Box.self).contents)
    }

    deinit {
      if !Self.sharesBytes { address.deinitialize(count: 1) }
      address.deallocate()
    }
  }

  @usableFromInline let box: Box

  /// Creates the initial version in the declaration of a storage. Relationships and indexes are
  /// built from the rows; their previous contents are discarded.
  ///
  /// Rows that violate a rule can be read, and `verify()` lists them. A batch is accepted only if
  /// it repairs all of these rows. To get an error immediately, use `init(validating:)` of the
  /// storage.
  ///
  /// - Parameter contents: The tables, usually empty ones.
  /// - Complexity: O(*n*) in the number of rows.
  public init(_ contents: Contents) {
    let version = Snapshot(rebuilding: contents)
    let isSound = version.brokenRules().isEmpty
    box = isSound ? version.box : Box(version.contents, isUnvalidated: true)
  }

  /// Creates a version of rows without checking them; relationships and indexes are built from the
  /// rows.
  /// - Complexity: O(*n*) in the number of rows.
  package init(rebuilding contents: Contents) {
    var contents = contents
    Contents.requireConsistentParts()
    contents.rebuildDerivedParts()
    box = Box(contents)
  }

  /// Creates a version of contents whose relationships and indexes are known to match the rows.
  @usableFromInline
  package init(unchecked contents: Contents) { box = Box(contents) }

  /// Returns a version with the contents of this version. A batch on the returned version extends
  /// `written` with the rows that the batch writes. If `written` is `nil`, the batch notes no rows.
  func noting(_ written: NotedRows?) -> Self {
    Self(box: Box(contents, ContentsLayout(noting: written, like: box.layout)))
  }

  /// A version with the contents of this version and unchecked rows. The next batch checks all
  /// rows.
  var unvalidated: Self { Self(box: Box(contents, isUnvalidated: true)) }

  private init(box: Box) { self.box = box }

  /// Creates a later version of contents whose relationships and indexes are known to match the
  /// rows.
  @inlinable
  init(unchecked contents: Contents, after earlier: Self) {
    box = Box(contents, earlier.box.layout)
  }

  /// Creates a later version of contents whose relationships and indexes are known to match the
  /// rows. The version frees the memory of the contents, which must not be written any more.
  @inlinable
  init(adopting contents: UnsafeMutablePointer<Contents>, after earlier: Self) {
    box = Box(adopting: contents, earlier.box.layout)
  }

  /// The tables, indexes and relationships of this version.
  @inlinable
  public var contents: Contents {
    @inline(__always)
    _read { yield box.contents }
  }

  /// Whether two snapshots are the same version; `true` implies that they are equal.
  /// - Complexity: O(1).
  @inlinable
  package func isIdentical(to other: Self) -> Bool { box === other.box }
}

/// One version of a database, for code that does not depend on its type.
///
/// `Sendable` is unchecked because the class is not final. Its only subclass is `Snapshot.Box`,
/// which adds constants.
@usableFromInline
package class StorageVersion: @unchecked Sendable {
  /// The address of the contents.
  @usableFromInline let start: UnsafeRawPointer
  @usableFromInline let layout: ContentsLayout
  /// Collects the keys of the difference between an older version and this one.
  @usableFromInline let collectKeys: KeyCollectorFunction

  @inlinable
  init(
    _ start: UnsafeRawPointer, _ layout: ContentsLayout,
    _ collectKeys: @escaping KeyCollectorFunction
  ) {
    self.start = start
    self.layout = layout
    self.collectKeys = collectKeys
  }

  /// Whether the held IDs differ from those in another version of the same database.
  func hasOtherHeldIDs(than other: StorageVersion) -> Bool { false }

  /// Whether the recorded times or answers of received rows differ from those in another version of
  /// the same database.
  func hasOtherFreshness(than other: StorageVersion) -> Bool { false }
}

extension Snapshot {
  /// Creates the snapshot of a version, which must be a version of a database with contents of the
  /// type `Contents`. Optimized builds do not check the type.
  @inlinable
  init(_ version: StorageVersion) { box = unsafeDowncast(version, to: Box.self) }
}

extension Snapshot {
  /// Whether two versions have equal tables and the same held IDs. The other parts are derived
  /// from the rows.
  @inlinable
  func hasEqualRows(_ other: Self) -> Bool {
    defer { withExtendedLifetime((self, other)) {} }
    // Both have the same type, and so the same layout.
    let layout = box.layout
    var search = EqualTableSearch<Contents>(
      pairs: TablePairs(box.address, other.box.address, offsets: layout.tables))
    Contents.visitParts(&search)
    return search.isEqual && (!layout.hasHeldIDs || contents.hasEqualHeldIDs(other.contents))
  }
}

/// Checks whether the tables of two versions contain equal rows.
@frozen
@usableFromInline
struct EqualTableSearch<Contents: StorageContents>: TablePairVisitor {
  @usableFromInline var pairs: TablePairs
  @usableFromInline var isEqual = true

  @inlinable
  init(pairs: TablePairs) { self.pairs = pairs }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if isEqual, !pair.isSame { isEqual = pair.old.pointee == pair.new.pointee }
  }
}

extension Snapshot {
  /// Calls the closure with the address of the table of an entity type, or with `nil` when the
  /// database has none.
  @inlinable
  @inline(__always)
  func withTable<Entity: EntityType, Result>(
    of entity: Entity.Type,
    _ body: (TablePointer<Entity>?) -> Result
  ) -> Result {
    defer { withExtendedLifetime(box) {} }
    return body(tablePointer(of: entity))
  }

  /// Returns the address of the table of an entity type, or `nil` when the database has none.
  @inlinable
  @inline(__always)
  func tablePointer<Entity: EntityType>(of entity: Entity.Type) -> TablePointer<Entity>? {
    var search = TableOffsetSearch<Contents, Entity>(
      contents: UnsafeMutableRawPointer(box.address), offsets: box.layout.tables)
    Contents.visitParts(&search)
    return search.result
  }

  /// Returns the address of the table of an entity type, which the database must have.
  @inlinable
  @inline(__always)
  func requiredTablePointer<Entity: EntityType>(of entity: Entity.Type) -> TablePointer<Entity> {
    guard let table = tablePointer(of: entity) else { Contents.missingTable(of: entity) }
    return table
  }

  /// Returns the entity with an ID, or `nil` when no entity has the ID. The database must have a
  /// table of its type.
  @inlinable
  @inline(__always)
  func find<Entity: EntityType>(_ id: EntityIdentifier<Entity>) -> Entity? {
    defer { withExtendedLifetime(box) {} }
    return requiredTablePointer(of: Entity.self).find(by: id)
  }

  /// Returns the address of the entity with an ID, or `nil` when no entity has the ID. The
  /// address is valid while this version is retained. The database must have a table of its type.
  @inlinable
  @inline(__always)
  func row<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> UnsafePointer<Entity>? {
    defer { withExtendedLifetime(box) {} }
    return requiredTablePointer(of: Entity.self).row(of: id)
  }

  /// Returns the IDs without those of missing entities.
  @inlinable
  func present<Entity: EntityType>(
    _ ids: [EntityIdentifier<Entity>]
  ) -> [EntityIdentifier<Entity>] {
    withTable(of: Entity.self) { table in
      guard let table else { return [] }
      // Usually no entity is missing, and nothing is copied.
      return ids.allSatisfy(table.contains) ? ids : ids.filter(table.contains)
    }
  }

  /// Returns a copy of the table of an entity type, or `nil` when the database has none.
  func table<Entity: EntityType>(of entity: Entity.Type) -> AnyTable<Entity>? {
    withTable(of: entity) { $0?.copy }
  }

  /// Returns the address of a relationship, or `nil` when the path does not lead to a stored
  /// property.
  // Inlined, so that the compiler reduces a literal key path to an offset.
  @inlinable
  @inline(__always)
  func address<Relationship: RelationshipType>(
    of path: KeyPath<Contents, Relationship>
  ) -> UnsafePointer<Relationship>? {
    UnsafePointer(box.address).pointer(to: path)
  }

  /// Returns the byte offset of a relationship in the contents, or -1 when the path does not lead
  /// to a stored property.
  func offset<Relationship: RelationshipType>(of path: KeyPath<Contents, Relationship>) -> Int {
    MemoryLayout<Contents>.offset(of: path) ?? -1
  }

  /// Returns the IDs of the entities that reference the target.
  @inlinable
  func holderIDs<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID, address: UnsafePointer<Relationship>
  ) -> [Relationship.Holder.EntityID] {
    typealias One = ToOne<Relationship.Holder, Relationship.Target>
    defer { withExtendedLifetime(box) {} }
    if Relationship.self == One.self {
      let one = UnsafeRawPointer(address).assumingMemoryBound(to: One.self)
      if let links = one.pointer(to: \.links) { return LinkMap.holders(of: target, in: links) }
    }
    return address.pointee.holderIDs(of: target)
  }

  /// Calls the closure with a relationship, which is read in place. If the path does not lead to a
  /// stored property, the relationship is read by its key path.
  @inlinable
  @inline(__always)
  func withRelationship<Relationship: RelationshipType, Result>(
    at path: KeyPath<Contents, Relationship>, _ body: (Relationship) -> Result
  ) -> Result {
    defer { withExtendedLifetime(box) {} }
    guard let address = UnsafePointer(box.address).pointer(to: path) else {
      return body(box.address.pointee[keyPath: path])
    }
    return body(address.pointee)
  }
}
