import EntiaCollections
import EntiaDatabase
import EntiaSharing
import EntiaStore

extension DatabaseFile {
  /// The number of attempts to read one version while other calls or processes write the file.
  private static var attempts: Int { 3 }

  /// Returns the database in the file. Other calls may use the file while the rows are decoded.
  /// - Parameters:
  ///   - policy: The treatment of a row that cannot be read.
  ///   - isCompared: Whether the next save finds its changes by comparison with the returned
  ///     database.
  /// - Throws: `DatabaseFileError`.
  func load(_ policy: BrokenRowPolicy, isCompared: Bool) throws -> LoadedDatabase<Storage> {
    // A row must not load its own storage, because the load would decode the same row without end.
    let thread = ThreadIdentity.current
    let isFirst = loadingThreads.withLock { threads in
      if threads.contains(thread) { return false }
      threads.append(thread)
      return true
    }
    if !isFirst { throw DatabaseFileError.isBusy(file: path) }
    defer { loadingThreads.withLock { $0.removeAll { $0 == thread } } }
    return try DatabaseFileError.describing(path) {
      for _ in 0..<Self.attempts {
        do {
          return try read(policy, isCompared, FileReading(session))
        } catch is FileReading.FileChanged {
          // Read again.
        }
      }
      // The file changes faster than its rows are read. This load therefore keeps the turn until it
      // has read all rows, and reads them in one transaction.
      return try session.withTurn { connection in
        try connection.reading {
          try read(policy, isCompared, FileReading(session, inTurnWith: connection))
        }
      }
    }
  }

  private func read(
    _ policy: BrokenRowPolicy, _ isCompared: Bool, _ reading: FileReading
  ) throws -> LoadedDatabase<Storage> {
    // Other processes may have added tables and columns.
    if configuration.isChangedByOthers {
      try reading.withTurn { _ in
        _ = try open.refresh()
        try open.header.requireKnown(Set(open.migrations))
      }
    }
    var parts = PartReader<Storage>(open, reading, policy, into: Storage().snapshot.contents)
    Storage.Contents.visitParts(&parts)
    if let error = parts.error { throw error }
    let storage: Storage
    do {
      storage = try Storage(validating: parts.contents)
    } catch let BatchError.refused(violations) {
      // A required entity may be missing because its row was skipped.
      let skipped = parts.skipped.rows.map { "\($0), and was skipped" }
      throw DatabaseFileError.refused(
        file: path, reasons: violations.map(\.description) + skipped)
    }
    let leftOut = LeftOutIDs(
      of: parts.contents, besides: storage.snapshot.contents, skipped: parts.skippedIDs)
    let unmatched = try reading.withTurn { connection in
      open.note(parts.findings)
      let position: LogPosition?
      var edits = RecordedEdits()
      if configuration.isChangedByOthers {
        edits.changes = try connection.dataVersion()
        edits.count = try open.edits()
        edits.versions = try open.log.versionsInAll()
        position = try open.log.position()
      } else {
        try open.noteEdits()
        position = nil
      }
      // Other processes can write the file even while this call has the turn.
      try reading.requireUnchanged(on: connection)
      if let position {
        open.noteLoaded(leftOut, at: position, edits.changes, skipped: parts.skipped.parts)
        let version = SharedVersion(
          storage: storage, position: position, unreadable: parts.skipped)
        loaded.withLock { $0 = version }
        // Set last, so that no call combines these edits with an earlier version.
        loadedEdits.withLock { $0 = edits }
      } else if isCompared {
        open.setLoaded(
          storage, parts.contents, leftOut, skipped: parts.skipped.parts,
          unreadable: parts.unreadable)
      }
      return try open.unmatchedTables()
    }
    return LoadedDatabase(
      database: storage, skippedRows: parts.skipped.rows, unmatchedTables: unmatched,
      editedTables: parts.findings.filter(\.value.isEdited).keys.sorted())
  }
}

/// Reads the parts of a storage.
private struct PartReader<Storage: NormalizedStorageType>: StoredIndexVisitor {
  typealias Contents = Storage.Contents

  private let file: OpenFile<Storage>
  private let reading: FileReading
  private let policy: BrokenRowPolicy
  private(set) var contents: Contents
  private(set) var findings: [String: PartFindings] = [:]
  private(set) var skipped = UnreadableRows()
  /// The IDs of the skipped rows.
  private(set) var skippedIDs: Set<AnyHashable> = []
  /// The names of the parts whose ages or answers the load could not read completely.
  private(set) var unreadable: Set<String> = []
  private(set) var error: (any Error)?

  init(
    _ file: OpenFile<Storage>, _ reading: FileReading, _ policy: BrokenRowPolicy,
    into contents: Contents
  ) {
    self.file = file
    self.reading = reading
    self.policy = policy
    self.contents = contents
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard error == nil else { return }
    do {
      typealias Row = Table.Entity
      let key = { (id: AnyHashable) in
        (id.base as? Row.EntityID).flatMap { UnreadableRows.key(of: $0, in: Row.self) }
      }
      guard let (rows, label) = try elements(of: name, Row.self, key: key) else { return }
      let count = rows.count
      var table = Table(rows)
      if table.count != count,
        let (again, _) = try elements(of: name, Row.self)
      {
        var seen: Set<Row.EntityID> = []
        table = Table(
          try again.filter { row in
            if seen.insert(row.entityID).inserted { return true }
            let failure = RowFailure(repeated: row.entityID.description, in: label)
            try note(failure, in: name, key: UnreadableRows.key(of: row.entityID, in: Row.self))
            return false
          })
        findings[name]?.hasOtherIDs = true
      }
      contents[keyPath: path] = table
    } catch {
      self.error = error
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard error == nil else { return }
    do {
      typealias ID = IDs.Entity.EntityID
      // `key` returns `nil`, because a held ID that cannot be read has no key.
      guard let (ids, _) = try elements(of: name, ID.self, key: { _ in nil }) else { return }
      var held = IDs()
      for id in ids { held.insert(id) }
      contents[keyPath: path] = held
    } catch {
      self.error = error
    }
  }

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    guard error == nil else { return }
    do {
      let type = KeyValueEntry<Index.Key, Index.Value>.self
      guard let (entries, _) = try elements(of: name, type) else { return }
      let index = Index(entries: entries)
      contents[keyPath: path] = index
      if Int64(index.count) != findings[name]?.rowCount { unreadable.insert(name) }
    } catch {
      self.error = error
    }
  }

  /// Returns the elements of a part that are not skipped, and the name of the part's table for
  /// messages. Returns `nil` if the part is not stored.
  /// - Parameters:
  ///   - part: The name of the part.
  ///   - element: The type of its elements.
  ///   - key: Returns the key that a server uses for the ID of a skipped row; `nil` if the ID has
  ///     none. If the closure `key` itself is `nil`, elements that cannot be read are left out
  ///     without a note.
  private mutating func elements<Element>(
    of part: String, _ element: Element.Type, key: ((_ id: AnyHashable) -> String?)? = nil
  ) throws -> (elements: LoadedElements<Element>, table: String)? {
    guard let coding = file.parts.coding(of: part, element),
      let rows = try reading.withTurn({ _ in try file.beginReading(part, reading) })
    else { return nil }
    let (elements, found) = try PartLoading(reading: reading, rows: rows, coding: coding)
      .load { failure, id in
        guard let key else { return }
        let id = coding.storedKey(of: id)
        try note(failure, in: part, key: id.flatMap(key))
        if let id { skippedIDs.insert(id) }
      }
    findings[part] = found
    if !rows.have(found), try reading.withTurn({ _ in try file.requireRows(rows, found) }) {
      findings[part]?.isEdited = true
    }
    return (elements, rows.table)
  }

  /// Adds the row of a failure to the skipped rows, if the policy is to skip such rows.
  /// - Throws: The failure, if the policy is to throw.
  private mutating func note(_ failure: RowFailure, in part: String, key: String?) throws {
    guard policy == .skip else { throw failure }
    skipped.add(
      SkippedRow(
        table: failure.table, row: failure.row, column: failure.column, reason: failure.reason),
      of: part, key: key)
  }
}

extension RowFailure {
  /// Creates the error for a row with the ID of an earlier row, perhaps in another spelling.
  fileprivate init(repeated row: String, in table: String) {
    self.init(
      .decoding, table: table, row: row,
      reason: "the table has two rows with this ID, perhaps spelled differently")
  }
}
