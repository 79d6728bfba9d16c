import EntiaCollections
import EntiaDatabase

/// The differences between the parts of a storage and the file, encoded before they are written.
struct StorageSaving<Storage: NormalizedStorageType>: StoredIndexVisitor {
  typealias Contents = Storage.Contents

  /// A part of the storage in the file.
  struct Part {
    /// Whether the file has the part, and all its entries were read. If not, all elements are
    /// written.
    let isStored: Bool
    let encoder: RowEncoder
    /// The name of the table in messages.
    let label: String
  }

  private let codings: StorageParts<Storage>
  private let parts: [String: Part]
  private let old: Contents?
  private let new: Contents
  private let writesAll: Bool
  private var size = 0
  private var error: (any Error)?
  /// The number of the elements that differ. It is exact only up to `ChangeLog.maximumChanges`.
  private(set) var changeCount = 0
  /// Whether an ordered table or held IDs differ, or a table whose IDs can be held has new rows.
  /// The new contents of the file may then depend on rows and IDs that only the file has.
  private(set) var dependsOnFile = false
  /// A closure for each part that differs, which writes the part.
  private(set) var writes: [(part: String, write: (PartTable) throws -> Void)] = []

  /// Creates the differences between a version and the file.
  /// - Parameters:
  ///   - codings: The codings of the parts.
  ///   - parts: The parts in the file, by their names.
  ///   - old: The contents of the file; `nil` if nothing was loaded or saved.
  ///   - new: The version.
  ///   - writesAll: Whether parts that do not differ are written too.
  init(
    _ codings: StorageParts<Storage>, _ parts: [String: Part], old: Contents?, new: Contents,
    writesAll: Bool
  ) {
    self.codings = codings
    self.parts = parts
    self.old = old
    self.new = new
    self.writesAll = writesAll
  }

  /// Compares the versions, and encodes the differences. Does not use the file, and can therefore
  /// be called outside `FileSession.withTurn(_:)`.
  /// - Throws: `RowFailure` for a row that cannot be encoded.
  mutating func encode() throws {
    Contents.visitParts(&self)
    if let error { throw error }
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard error == nil, let part = parts[name] else { return }
    let (before, after) = (old?[keyPath: path], new[keyPath: path])
    if !writesAll, let before, part.isStored, after.isIdentical(to: before) { return }
    do {
      if let after = after as? Tables.Hash<Table.Entity> {
        let before = before as? Tables.Hash<Table.Entity>
        let isHeld = codings.heldEntities.contains(ObjectIdentifier(Table.Entity.self))
        try save(after.rows, since: before?.rows, nothing: .init(), name, part, isHeld: isHeld)
      } else if let after = after as? Tables.Ordered<Table.Entity> {
        let before = before as? Tables.Ordered<Table.Entity>
        try save(after.rows, since: before?.rows, nothing: .init(), name, part, isOrdered: true)
      }
    } catch {
      self.error = error
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard error == nil, let part = parts[name] else { return }
    let (before, after) = (old?[keyPath: path], new[keyPath: path])
    if !writesAll, let before, part.isStored, after.isIdentical(to: before) { return }
    do {
      if let after = after as? Indexes.OrderedID<IDs.Entity> {
        let before = before as? Indexes.OrderedID<IDs.Entity>
        try save(after.table, since: before?.table, nothing: .init(), name, part, isOrdered: true)
      } else if let after = after as? Indexes.Set<IDs.Entity> {
        let before = before as? Indexes.Set<IDs.Entity>
        try save(after.table, since: before?.table, nothing: .init(), name, part, isOrdered: true)
      }
    } catch {
      self.error = error
    }
  }

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    guard error == nil, let part = parts[name] else { return }
    let (before, after) = (old?[keyPath: path], new[keyPath: path])
    if !writesAll, let before, part.isStored, after.isIdentical(to: before) { return }
    do {
      try save(
        after.entries, since: before?.entries, nothing: Index(entries: []).entries, name, part,
        isLogged: false)
    } catch {
      self.error = error
    }
  }

  /// Encodes the differences of a part, and adds the closure that writes them.
  /// - Parameters:
  ///   - isOrdered: Whether the part is an ordered table or held IDs.
  ///   - isHeld: Whether the part is a table whose IDs can be held.
  ///   - isLogged: Whether the log of the file records the differences.
  private mutating func save<Rows: PlacedElements & Sequence>(
    _ rows: Rows, since old: Rows?, nothing: Rows, _ name: String, _ part: Part,
    isOrdered: Bool = false, isHeld: Bool = false, isLogged: Bool = true
  ) throws {
    guard let coding = codings.coding(of: name, Rows.Element.self) else { return }
    let saving = PartSaving(
      rows, since: part.isStored ? old ?? nothing : nothing, coding, part.encoder,
      table: part.label)
    try saving.encodeRows(limit: RowEncoder.sizeLimit - size)
    if isLogged, changeCount <= ChangeLog.maximumChanges {
      let count = saving.changeCount(limit: ChangeLog.maximumChanges + 1)
      changeCount += count
      if isOrdered ? count > 0 : isHeld && saving.insertsRows { dependsOnFile = true }
    }
    size += part.encoder.size
    writes.append((name, { try saving.write(to: $0) }))
  }
}

/// The stored parts of a storage: tables, held IDs, and, in files of one process, the ages and
/// answers of received rows.
struct StorageParts<Storage: NormalizedStorageType>: StoredIndexVisitor {
  typealias Contents = Storage.Contents

  /// The coding of the elements of each part, by the part's name.
  private(set) var codings: [String: Any] = [:]
  /// The first part that cannot be encoded.
  private(set) var failure: (part: String, type: String)?
  /// A text that identifies the parts. Storages with different parts have different fingerprints.
  private(set) var fingerprint = ""
  /// The parts that record how rows were received. These parts are not in the fingerprint, because
  /// a process with these parts and a process without them can share a file.
  let freshness = FreshnessPartsSearch<Contents>().parts
  /// The types of the entities whose IDs can be held.
  private(set) var heldEntities: Set<ObjectIdentifier> = []
  /// Whether the parts in `freshness` are stored.
  let storesFreshness: Bool

  /// Finds the parts.
  /// - Parameter storesFreshness: Whether ages and answers are stored.
  init(storesFreshness: Bool) {
    self.storesFreshness = storesFreshness
    Contents.visitParts(&self)
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    fingerprint += "\(Table.isOrdered ? "ordered" : "table") \(name)\n"
    do {
      codings[name] = CodingBox(coding: try rowCoding(of: Table.Entity.self))
    } catch {
      note(error, of: name)
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    fingerprint += "ids \(name)\n"
    heldEntities.insert(ObjectIdentifier(IDs.Entity.self))
    do {
      codings[name] = CodingBox(
        coding: try idCoding(of: IDs.Entity.self))
    } catch {
      note(error, of: name)
    }
  }

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    guard storesFreshness else { return }
    do {
      codings[name] = CodingBox(coding: try freshnessCoding(of: Index.self))
    } catch {
      note(error, of: name)
    }
  }

  private mutating func note(_ error: NotCodable, of part: String) {
    if failure == nil { failure = (part, error.type) }
  }

  /// Returns the names of the parts in a fingerprint, each with the value `true` if the part
  /// contains held IDs, and `false` if it contains rows.
  static func heldParts(in fingerprint: String) -> [String: Bool] {
    let lines = fingerprint.split(separator: "\n").map { line in
      line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    }
    return Dictionary(
      lines.filter { $0.count == 2 }.map { (String($0[1]), $0[0] == "ids") },
      uniquingKeysWith: { first, _ in first })
  }

  /// The names of the tables of rows.
  var tables: Set<String> {
    Set(Self.heldParts(in: fingerprint).filter { !$0.value }.map(\.key))
  }

  /// Returns the coding of a part.
  func coding<Element>(of part: String, _ element: Element.Type) -> (any ElementCoding<Element>)? {
    (codings[part] as? CodingBox<Element>)?.coding
  }
}

/// A box for a coding, so that one dictionary can contain the codings of several element types.
private struct CodingBox<Element> {
  let coding: any ElementCoding<Element>
}
