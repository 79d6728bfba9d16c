import EntiaCollections
import EntiaDatabase

/// A storage in a file while it is open. One thread at a time uses it.
final class OpenFile<Storage: NormalizedStorageType> {
  let connection: SQLiteConnection
  let parts: StorageParts<Storage>
  var header: FileHeader
  /// The tables of the parts, by their names.
  private var tables: [String: PartTable] = [:]
  /// The members that rows have had, by part. A table that is read again must not take their columns
  /// for those of another program.
  private var claims: [String: Set<String>] = [:]
  /// The names of the migrations, which a storage that no program has saved does not need.
  private let migrations: [String]
  /// The parts whose rows have no complete order in the file.
  private var unnumbered: Set<String> = []
  /// The version that the file contains, once it was loaded or saved.
  private(set) var saved: Storage?
  /// The contents of the file. They may have held IDs without entities, which `saved` does not have.
  private var contents: Storage.Contents?
  /// Whether the file has rows that the last load skipped.
  private var hasSkippedRows = false
  /// The header before the save under way.
  private var headerBeforeSave: FileHeader?

  init(
    _ connection: SQLiteConnection, _ parts: StorageParts<Storage>, named name: String = "",
    migrations: [String] = []
  ) throws {
    self.connection = connection
    self.parts = parts
    self.migrations = migrations
    header = try FileHeader(connection, storage: name)
  }

  /// The name of a part in messages.
  private func label(of part: String) -> String {
    header.storage.isEmpty ? part : "\(header.storage).\(part)"
  }

  /// Whether a part has a table in the file, or would have one if it had rows.
  func isStored(_ part: String) -> Bool { header.tables[part] != nil }

  /// Returns the table of a part that is stored.
  /// - Throws: `SQLiteFailure`, `UnusableTable`.
  func table(of part: String) throws -> PartTable? {
    if let table = tables[part] { return table }
    guard let name = header.tables[part] else { return nil }
    let table = try PartTable(part: label(of: part), name: name, on: connection)
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
  /// - Parameter others: The names of the storages in the file that are open.
  /// - Throws: `SQLiteFailure`, `RowFailure`, `BatchError.refused`.
  func unclaimed(besides others: Set<String>) throws -> UnclaimedParts {
    // Which members the rows have is known from reading them.
    if saved == nil { _ = try read() }
    var result = UnclaimedParts(tables: [], members: [:])
    var known = try tables(of: others)
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

  /// Returns the names of the tables of some storages, in lower case.
  private func tables(of storages: Set<String>) throws -> Set<String> {
    var result: Set<String> = []
    guard header.isDescribed else { return result }
    let names = try connection.prepare("SELECT storage, name FROM entia_parts")
    while try names.step() {
      let storage = names.text(at: 0)
      if storage != header.storage, storages.contains(storage) {
        result.insert(SQLName.lowercased(names.text(at: 1)))
      }
    }
    return result
  }

  /// Releases the version in memory, because the file has been closed.
  func releaseVersion() {
    saved = nil
    contents = nil
  }

  /// Releases all statements.
  func releaseTables() {
    for (part, table) in tables { claims[part, default: []].formUnion(table.claimedMembers) }
    tables = [:]
  }
}

// Loading.
extension OpenFile {
  /// Returns the database in the file, from which the next save is compared.
  /// - Parameter policy: What is done with a row that cannot be read.
  /// - Throws: `SQLiteFailure`, `RowFailure`, `BatchError.refused`.
  func load(onBrokenRow policy: BrokenRowPolicy = .throw) throws -> LoadedDatabase<Storage> {
    let (contents, skipped) = try readContents(policy)
    let storage = try Storage(validating: contents)
    noteUnnumberedRows()
    saved = storage
    hasSkippedRows = !skipped.isEmpty
    // The held IDs of skipped rows stay in the file.
    self.contents = hasSkippedRows ? storage.snapshot.contents : contents
    return LoadedDatabase(database: storage, skippedRows: skipped)
  }

  /// Returns the database in the file.
  /// - Throws: `SQLiteFailure`, `RowFailure`, `BatchError.refused`.
  func read() throws -> Storage { try Storage(validating: readContents(.throw).contents) }

  private func noteUnnumberedRows() {
    for (part, table) in tables {
      if table.hasUnnumberedRows { unnumbered.insert(part) } else { unnumbered.remove(part) }
    }
  }

  private func readContents(
    _ policy: BrokenRowPolicy
  ) throws -> (contents: Storage.Contents, skipped: [SkippedRow]) {
    var loading = Loading(file: self, contents: Storage().snapshot.contents, policy)
    try connection.reading {
      Storage.Contents.visitParts(&loading)
      if let error = loading.error { throw error }
    }
    return (loading.contents, loading.skipped)
  }

  fileprivate func elements<Element>(
    of part: String, _ element: Element.Type, onBrokenRow: (RowFailure) throws -> Void
  ) throws -> LoadedElements<Element>? {
    guard let table = try table(of: part), let coding = parts.coding(of: part, element) else {
      return nil
    }
    return try PartLoading(table: table, coding: coding).load(onBrokenRow: onBrokenRow)
  }
}

private struct Loading<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let file: OpenFile<Storage>
  var contents: Contents
  let policy: BrokenRowPolicy
  var skipped: [SkippedRow] = []
  var error: (any Error)?

  init(file: OpenFile<Storage>, contents: Contents, _ policy: BrokenRowPolicy) {
    self.file = file
    self.contents = contents
    self.policy = policy
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard error == nil else { return }
    do {
      guard let rows = try elements(of: name, Table.Entity.self) else { return }
      let count = rows.count
      var table = Table(rows)
      if table.count != count, let again = try elements(of: name, Table.Entity.self, isNoted: true)
      {
        var seen: Set<Table.Entity.EntityID> = []
        table = Table(
          try again.filter { row in
            if seen.insert(row.entityID).inserted { return true }
            try note(file.repeated(row.entityID.description, in: name))
            return false
          })
      }
      contents[keyPath: path] = table
    } catch {
      self.error = error
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard error == nil else { return }
    do {
      guard let ids = try elements(of: name, IDs.Entity.EntityID.self) else { return }
      var held = IDs()
      for id in ids { held.insert(id) }
      contents[keyPath: path] = held
    } catch {
      self.error = error
    }
  }

  /// Returns the elements of a part, without those that are skipped.
  /// - Parameters:
  ///   - part: The name of the part.
  ///   - element: The type of its elements.
  ///   - isNoted: Whether the elements that are skipped have been noted by a former call.
  private mutating func elements<Element>(
    of part: String, _ element: Element.Type, isNoted: Bool = false
  ) throws -> LoadedElements<Element>? {
    try file.elements(of: part, element) { if !isNoted { try note($0) } }
  }

  /// Notes a row that is skipped.
  /// - Throws: The failure, unless rows that cannot be read are skipped.
  private mutating func note(_ failure: RowFailure) throws {
    guard policy == .skip else { throw failure }
    skipped.append(SkippedRow(failure))
  }
}

extension OpenFile {
  /// Returns the error for two rows with one ID, such as in two spellings.
  fileprivate func repeated(_ row: String, in part: String) -> RowFailure {
    RowFailure(
      .decoding, table: label(of: part), row: row,
      reason: "the table has two rows with this ID, perhaps spelled differently")
  }
}

// Saving.
extension OpenFile {
  /// Returns whether a save of a version replaces rows in the file that were not loaded.
  /// - Parameter isPermitted: Whether it may.
  func isReplacing(ifPermitted isPermitted: Bool) -> Bool {
    isPermitted && (saved == nil || hasSkippedRows)
  }

  /// Returns whether the file differs from a version that is to be saved.
  func differs(from version: Storage) -> Bool {
    guard let saved, hasAllParts else { return true }
    return !version.snapshot.isIdentical(to: saved.snapshot)
  }

  /// Writes a version in a transaction, after which `finish(_:isCommitted:)` is called.
  /// - Parameters:
  ///   - version: The version.
  ///   - isReplacing: Whether rows in the file that were not loaded are removed.
  /// - Throws: `SQLiteFailure`, `RowFailure`.
  func write(_ version: Storage, isReplacing: Bool) throws {
    headerBeforeSave = header
    try header.create(on: connection)
    try header.setSchema(parts.fingerprint, migrations: migrations, on: connection)
    if isReplacing {
      for part in parts.codings.keys { try table(of: part)?.deleteAll() }
    }
    var saving = Saving(
      file: self, old: isReplacing ? nil : contents, new: version.snapshot.contents)
    Storage.Contents.visitParts(&saving)
    if let error = saving.error { throw error }
  }

  /// Ends a save after its transaction.
  func finish(_ version: Storage, isReplacing: Bool, isCommitted: Bool) {
    if isCommitted {
      noteUnnumberedRows()
      if isReplacing { hasSkippedRows = false }
      saved = version
      contents = version.snapshot.contents
    } else {
      // The tables may know columns that were rolled back.
      if let headerBeforeSave { header = headerBeforeSave }
      releaseTables()
    }
    headerBeforeSave = nil
  }

  /// Whether the file has every part of the storage. A part that it lacks has the rows of `init()`,
  /// which are in memory alone.
  private var hasAllParts: Bool { header.isSaved && parts.codings.keys.allSatisfy(isStored) }

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
      } else {
        // A type that is not Entia's.
        typealias List = PersistentOrderedTable<EntityTableLayout<Table.Entity>>
        try file.save(List(after), since: before.map { List($0) }, nothing: List(), part: name)
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
