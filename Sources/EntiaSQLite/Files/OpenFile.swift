import EntiaCollections
import EntiaDatabase

/// A file while it is open. One thread at a time uses it.
final class OpenFile<Storage: NormalizedStorageType> {
  let connection: SQLiteConnection
  let parts: StorageParts<Storage>
  var header: FileHeader
  /// The tables of the parts, by their names.
  private var tables: [String: PartTable] = [:]
  /// The members that rows have had, by part. A table that is read again must not take their columns
  /// for those of another program.
  private var claims: [String: Set<String>] = [:]
  /// The names of the migrations, which a new file does not need.
  private let migrations: [String]
  /// The parts whose rows have no complete order in the file.
  private var unnumbered: Set<String> = []
  /// The version that the file contains, once it was loaded or saved.
  private(set) var saved: Storage?
  /// The contents of the file. They may have held IDs without entities, which `saved` does not have.
  private var contents: Storage.Contents?

  init(
    _ connection: SQLiteConnection, _ parts: StorageParts<Storage>, migrations: [String] = []
  ) throws {
    self.connection = connection
    self.parts = parts
    self.migrations = migrations
    header = try FileHeader(connection)
  }

  /// Whether a part has a table in the file, or would have one if it had rows.
  func isStored(_ part: String) -> Bool { header.tables[part] != nil }

  /// Returns the table of a part that is stored.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func table(of part: String) throws -> PartTable? {
    if let table = tables[part] { return table }
    guard let name = header.tables[part] else { return nil }
    let table = try PartTable(part: part, name: name, on: connection)
    table.hasUnnumberedRows = unnumbered.contains(part)
    for member in claims[part] ?? [] { table.encoder.claim(member) }
    tables[part] = table
    return table
  }

  /// Whether any part has rows in the file.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func hasRows() throws -> Bool {
    for part in parts.codings.keys {
      guard let table = try table(of: part), table.exists else { continue }
      let exists = try connection.value(
        "SELECT EXISTS(SELECT 1 FROM \(SQLName.quoted(table.name)))")
      if exists == .integer(1) { return true }
    }
    return false
  }

  /// Returns the tables and columns in the file that the storage does not have.
  /// - Throws: `SQLiteFailure`, `RowFailure`, `BatchError.refused`.
  func unclaimed() throws -> UnclaimedParts {
    // Which members the rows have is known from reading them.
    if saved == nil { _ = try read() }
    var result = UnclaimedParts(tables: [], members: [:])
    var known: Set<String> = []
    for (part, name) in header.tables {
      known.insert(SQLName.lowercased(name))
      guard parts.codings[part] != nil else {
        result.tables.append(part)
        continue
      }
      guard let table = try table(of: part), table.exists else { continue }
      let members = table.unclaimedMembers
      if !members.isEmpty { result.members[part] = members.sorted() }
    }
    let others = try connection.prepare("SELECT name FROM sqlite_schema WHERE type='table'")
    while try others.step() {
      let name = others.text(at: 0)
      let lowered = SQLName.lowercased(name)
      let isOurs = FileHeader.ownTables.contains(lowered) || lowered.hasPrefix("sqlite_")
      if !isOurs, !known.contains(lowered) { result.tables.append(name) }
    }
    result.tables.sort()
    return result
  }

  /// Releases all statements.
  func releaseStatements() { releaseTables() }

  private func releaseTables() {
    for (part, table) in tables { claims[part, default: []].formUnion(table.claimedMembers) }
    tables = [:]
  }
}

// Loading.
extension OpenFile {
  /// Returns the database in the file, from which the next save is compared.
  /// - Throws: `SQLiteFailure`, `RowFailure`, `BatchError.refused`.
  func load() throws -> Storage {
    let contents = try readContents()
    let storage = try Storage(validating: contents)
    noteUnnumberedRows()
    saved = storage
    self.contents = contents
    return storage
  }

  /// Returns the database in the file.
  /// - Throws: `SQLiteFailure`, `RowFailure`, `BatchError.refused`.
  func read() throws -> Storage { try Storage(validating: readContents()) }

  private func noteUnnumberedRows() {
    for (part, table) in tables {
      if table.hasUnnumberedRows { unnumbered.insert(part) } else { unnumbered.remove(part) }
    }
  }

  private func readContents() throws -> Storage.Contents {
    var loading = Loading(file: self, contents: Storage().snapshot.contents)
    try connection.reading {
      Storage.Contents.visitParts(&loading)
      if let error = loading.error { throw error }
    }
    return loading.contents
  }

  fileprivate func elements<Element>(
    of part: String, _ element: Element.Type
  ) throws -> LoadedElements<Element>? {
    guard let table = try table(of: part), let coding = parts.coding(of: part, element) else {
      return nil
    }
    return try PartLoading(table: table, coding: coding).load()
  }
}

private struct Loading<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let file: OpenFile<Storage>
  var contents: Contents
  var error: (any Error)?

  init(file: OpenFile<Storage>, contents: Contents) {
    self.file = file
    self.contents = contents
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard error == nil else { return }
    do {
      guard let rows = try file.elements(of: name, Table.Entity.self) else { return }
      let count = rows.count
      let table = Table(rows)
      guard table.count == count else {
        throw Self.repeated(in: try file.elements(of: name, Table.Entity.self), name)
      }
      contents[keyPath: path] = table
    } catch {
      self.error = error
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard error == nil else { return }
    do {
      guard let ids = try file.elements(of: name, IDs.Entity.EntityID.self) else { return }
      var held = IDs()
      for id in ids { held.insert(id) }
      contents[keyPath: path] = held
    } catch {
      self.error = error
    }
  }

  /// Returns the error for two rows with one ID, such as in two spellings.
  private static func repeated<Entity: EntityType>(
    in rows: LoadedElements<Entity>?, _ table: String
  ) -> RowFailure {
    var seen: Set<Entity.EntityID> = []
    let row = rows?.first { !seen.insert($0.entityID).inserted }
    return RowFailure(
      .decoding, table: table, row: row.map { $0.entityID.description } ?? "",
      reason: "the table has two rows with this ID, perhaps spelled differently")
  }
}

// Saving.
extension OpenFile {
  /// Writes a version in one transaction.
  /// - Parameters:
  ///   - version: The version.
  ///   - isReplacing: Whether rows in the file that were not loaded are removed.
  /// - Throws: `SQLiteFailure`, `RowFailure`; the file is then unchanged.
  func save(_ version: Storage, isReplacing: Bool) throws {
    if let saved, !isReplacing, hasAllParts, version.snapshot.isIdentical(to: saved.snapshot) {
      return
    }
    let before = header
    do {
      try connection.transaction {
        try header.create(migrations: migrations, on: connection)
        try header.setSchema(parts.fingerprint, on: connection)
        if isReplacing {
          for part in parts.codings.keys { try table(of: part)?.deleteAll() }
        }
        var saving = Saving(
          file: self, old: isReplacing ? nil : contents,
          new: version.snapshot.contents)
        Storage.Contents.visitParts(&saving)
        if let error = saving.error { throw error }
      }
    } catch {
      // The tables may know columns that were rolled back.
      header = before
      releaseTables()
      throw error
    }
    noteUnnumberedRows()
    saved = version
    contents = version.snapshot.contents
  }

  /// Whether the file has every part of the storage. A part that it lacks has the rows of `init()`,
  /// which are in memory alone.
  private var hasAllParts: Bool { header.exists && parts.codings.keys.allSatisfy(isStored) }

  fileprivate func save<Rows: PlacedElements & Sequence>(
    _ rows: Rows, since old: Rows?, nothing: Rows, part: String
  ) throws {
    let isStored = isStored(part)
    if !isStored { _ = try header.addTable(of: part, on: connection) }
    guard let table = try table(of: part),
      let coding = parts.coding(of: part, Rows.Element.self)
    else { return }
    let saving = PartSaving(table: table, coding: coding, rows: rows)
    try saving.save(since: isStored ? old ?? nothing : nothing)
  }
}

private struct Saving<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let file: OpenFile<Storage>
  let old: Contents?
  let new: Contents
  var error: (any Error)?

  init(file: OpenFile<Storage>, old: Contents?, new: Contents) {
    self.file = file
    self.old = old
    self.new = new
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard error == nil else { return }
    let (before, after) = (old?[keyPath: path], new[keyPath: path])
    if let before, file.isStored(name), after.isIdentical(to: before) { return }
    do {
      if let after = after as? Tables.Hash<Table.Entity> {
        let before = before as? Tables.Hash<Table.Entity>
        try file.save(after.rows, since: before?.rows, nothing: .init(), part: name)
      } else if let after = after as? Tables.Ordered<Table.Entity> {
        let before = before as? Tables.Ordered<Table.Entity>
        try file.save(after.rows, since: before?.rows, nothing: .init(), part: name)
      }
    } catch {
      self.error = error
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard error == nil else { return }
    let (before, after) = (old?[keyPath: path], new[keyPath: path])
    if let before, file.isStored(name), after.isIdentical(to: before) { return }
    do {
      if let after = after as? Indexes.OrderedID<IDs.Entity> {
        let before = before as? Indexes.OrderedID<IDs.Entity>
        try file.save(after.table, since: before?.table, nothing: .init(), part: name)
      } else if let after = after as? Indexes.Set<IDs.Entity> {
        let before = before as? Indexes.Set<IDs.Entity>
        try file.save(after.table, since: before?.table, nothing: .init(), part: name)
      } else {
        // A type that is not Entia's.
        typealias List = PersistentOrderedTable<SelfKeyed<IDs.Entity.EntityID>>
        try file.save(List(after), since: before.map { List($0) }, nothing: List(), part: name)
      }
    } catch {
      self.error = error
    }
  }
}
