import EntiaCoding
import EntiaSharing
import Foundation

extension CachedFile {
  /// Rows that an eviction keeps: all rows of a table, or one of its rows.
  package struct Kept: Hashable {
    /// The name of the table.
    package let table: String
    /// The text of the ID; `nil` for all rows.
    package let id: String?

    package init(table: String, id: String?) { (self.table, self.id) = (table, id) }
  }

  /// The rows that an eviction removes.
  package struct Eviction {
    /// The number of rows in the file before the eviction.
    package let size: Int
    /// The number of rows after the eviction.
    package var remainingSize: Int { size - rows.count }
    /// The rows, oldest first, each by the name of its table and the text of its ID.
    package var labels: [(table: String, id: String)] { rows.map { ($0.label, $0.text) } }
    /// The elements of `kept` with an ID whose row is not in the file.
    package let missing: Set<Kept>
    fileprivate var rows: [EvictedRow] = []
  }

  fileprivate struct EvictedRow {
    let table: Int
    let label: String
    let id: StoredValue
    let text: String
    let key: String
  }

  /// Returns an eviction of the oldest rows. At most `limit` rows are left, unless more rows must
  /// stay.
  ///
  /// The file does not record which values refer to rows. Every value that equals the ID of a row,
  /// alone or nested, therefore counts as a reference to the row. A row stays while a remaining row
  /// refers to the row. Held rows and rows of tables without ages stay too.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(size of the file).
  package func eviction(downTo limit: Int, keeping kept: Set<Kept>) throws -> Eviction {
    var search = EvictionSearch(limit: limit)
    for (table, index) in ages { try search.addTimes(of: index, in: table, connection) }
    for (index, table) in tables.enumerated() {
      try search.addRows(of: index, table, kept, connection)
    }
    for table in held { try search.addHeld(table, connection) }
    search.run()
    let ids = kept.filter { $0.id != nil }
    var eviction = Eviction(size: search.size, missing: ids.subtracting(search.foundKept))
    eviction.rows = search.gone.map { row in
      EvictedRow(
        table: row.table, label: tables[row.table].label, id: row.id, text: row.text, key: row.key)
    }
    return eviction
  }

  /// Removes rows, with their ages, in one transaction. Answers with a removed row are invalidated.
  /// - Throws: `DatabaseFileError`, `SQLiteFailure`; the file is then unchanged.
  package func perform(_ eviction: Eviction) throws {
    if eviction.rows.isEmpty { return }
    try connection.transaction {
      // The rows must be checked before the removals, because new counts are recorded after the
      // removals.
      try connection.requireAllRows()
      var removed: [Int: Set<String>] = [:]
      for row in eviction.rows {
        _ = try tables[row.table].rows.delete(row.id)
        for (ages, index) in ages where index == row.table { _ = try ages.rows.delete(row.id) }
        removed[row.table, default: []].insert(row.key)
      }
      for (answers, index) in answers {
        try invalidate(answers, with: removed[index] ?? [])
      }
      for storage in Set((tables + ages.map(\.table)).map(\.storage)).sorted() {
        var header = try FileHeader(connection, storage: storage)
        try header.recordRowCounts(on: connection)
        let log = ChangeLog(connection, storage: storage)
        try log.create()
        // A version without changes makes readers load the file again.
        try log.append(
          nil, by: BatchOrigin(client: ClientID(), mutation: 1),
          as: try log.position().version + 1)
      }
    }
  }

  private func invalidate(_ answers: Table, with removed: Set<String>) throws {
    if removed.isEmpty { return }
    let id = answers.rows.quotedID
    var requests: [StoredValue] = []
    let list = try connection.prepare("SELECT \(id), pages FROM \(answers.rows.quotedName)")
    while try list.step() {
      let ids = StoredAnswer(list.value(at: 1)).ids
      if ids.contains(where: removed.contains) { requests.append(list.value(at: 0)) }
    }
    let update = "UPDATE \(answers.rows.quotedName) SET isInvalidated=1 WHERE \(id) IS ?"
    for request in requests { try connection.prepare(update).run([request]) }
  }
}

/// Chooses the rows of a file to evict.
private struct EvictionSearch {
  struct Row {
    let table: Int
    let id: StoredValue
    let text: String
    /// The text with which values are compared. A composite ID has one text, however it is written.
    let key: String
    let time: Double
    var isKept: Bool
    /// The texts of the row's values, except its own ID. Each may be the ID of another row.
    var mentions: [String] = []
    /// The number of mentions that equal the row's own ID, such as those of a row of another table.
    var ownMentions = 0
  }

  let limit: Int
  private var times: [Int: [String: Double]] = [:]
  private var rows: [Row] = []
  /// For each text, the number of values of remaining rows that equal the text.
  private var mentions: [String: Int] = [:]
  private var held: Set<String> = []
  private(set) var size = 0
  private(set) var gone: [Row] = []
  /// The elements of `kept` with an ID whose row is in the file.
  private(set) var foundKept: Set<CachedFile.Kept> = []

  init(limit: Int) { self.limit = limit }

  mutating func addTimes(
    of table: Int, in ages: CachedFile.Table, _ connection: SQLiteConnection
  ) throws {
    let list = try connection.prepare(
      "SELECT \(ages.rows.quotedID), receivedAt FROM \(ages.rows.quotedName)")
    var found: [String: Double] = [:]
    while try list.step() {
      guard let id = list.value(at: 0).idKey, let time = StoredForm.double(list.value(at: 1))
      else { continue }
      found[id] = time
    }
    if !found.isEmpty { times[table] = found }
  }

  mutating func addRows(
    of index: Int, _ table: CachedFile.Table, _ kept: Set<CachedFile.Kept>,
    _ connection: SQLiteConnection
  ) throws {
    let order = PartTable.orderColumn
    let list = try connection.prepare(
      """
      SELECT \(table.columns.joined(separator: ", ")) FROM \(table.rows.quotedName)
      ORDER BY \(order) IS NULL, \(order)
      """)
    let last = table.columns.count - 1
    let idColumn = table.columns.dropLast().firstIndex(of: table.rows.quotedID)
    while try list.step() {
      size += 1
      let id = list.value(at: last)
      let text = id.idText ?? ""
      let key = id.idKey ?? ""
      // A row of unknown age counts as older than all others.
      let time = times[index].map { $0[key] ?? -.infinity }
      let single = CachedFile.Kept(table: table.label, id: text)
      if kept.contains(single) { foundKept.insert(single) }
      let isKept =
        time == nil || kept.contains(.init(table: table.label, id: nil))
        || foundKept.contains(single)
      var row = Row(table: index, id: id, text: text, key: key, time: time ?? 0, isKept: isKept)
      for column in 0..<last where column != idColumn {
        Self.collect(list.value(at: column), into: &row.mentions)
      }
      row.ownMentions = row.mentions.count { $0 == key }
      for mention in row.mentions { mentions[mention, default: 0] += 1 }
      rows.append(row)
    }
  }

  mutating func addHeld(
    _ table: CachedFile.Table, _ connection: SQLiteConnection
  ) throws {
    let list = try connection.prepare(
      "SELECT \(table.rows.quotedID) FROM \(table.rows.quotedName)")
    while try list.step() { if let id = list.value(at: 0).idKey { held.insert(id) } }
  }

  /// Collects the texts of all scalar values in a value. For each object in the value, also
  /// collects its text, because the object may be a composite ID, and the names of its members.
  private static func collect(_ value: StoredValue, into texts: inout [String]) {
    guard let json = value.json else {
      if let text = value.idKey { texts.append(text) }
      return
    }
    var pending = [json]
    while let next = pending.popLast() {
      switch next {
      case .array(let elements): pending += elements
      case .object(let members):
        if let text = next.idKey { texts.append(text) }
        texts += members.map(\.name)
        pending += members.map(\.value)
      default: if let text = next.idKey { texts.append(text) }
      }
    }
  }

  mutating func run() {
    var candidates = rows.filter { !$0.isKept && !held.contains($0.key) }
    // Rows with equal times stay in the order of `rows`.
    let order = candidates.indices.sorted {
      (candidates[$0].time, $0) < (candidates[$1].time, $1)
    }
    candidates = order.map { candidates[$0] }
    var count = size
    var next = 0
    // `waiting` has rows that cannot be removed yet, because remaining rows mention them. The keys
    // are the texts of the IDs of the waiting rows. `freed` has former waiting rows that no
    // remaining row mentions any more.
    var waiting: [String: [Row]] = [:]
    var freed: [Row] = []
    while count > limit {
      var row = freed.popLast()
      if row == nil, next < candidates.count {
        row = candidates[next]
        next += 1
      }
      guard let row else { return }
      guard mentions[row.key, default: 0] == row.ownMentions else {
        waiting[row.key, default: []].append(row)
        continue
      }
      for mention in row.mentions {
        let count = mentions[mention, default: 1] - 1
        mentions[mention] = count
        if waiting[mention]?.contains(where: { $0.ownMentions == count }) == true {
          freed += waiting.removeValue(forKey: mention) ?? []
        }
      }
      gone.append(row)
      count -= 1
    }
  }
}
