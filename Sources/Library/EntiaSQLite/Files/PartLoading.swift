/// Reads the elements of one part from its table.
struct PartLoading<Element> {
  let reading: FileReading
  let rows: PartRows
  let coding: any ElementCoding<Element>

  /// Returns the elements in their order as `elements`, and the findings about the table as
  /// `findings`.
  /// - Parameter onBrokenRow: Called with the failure and the ID of each row that cannot be
  ///   decoded. The row is skipped unless the closure throws.
  /// - Throws: `FileChanged`; `DatabaseFileError`; `SQLiteFailure`; the error of the closure.
  /// - Complexity: O(*n*).
  func load(
    onBrokenRow: (_ failure: RowFailure, _ id: StoredValue) throws -> Void
  ) throws -> (elements: LoadedElements<Element>, findings: PartFindings) {
    let elements = LoadedElements<Element>(capacity: rows.expectedCount)
    var findings = PartFindings()
    let chunk = RowChunk()
    let row = RowDecoder(members: rows.members)
    let hash = rows.hash
    var numbers: [Int64] = []
    numbers.reserveCapacity(rows.expectedCount)
    var hasMore = rows.exist
    while hasMore {
      hasMore = try reading.fill(chunk)
      findings.rowCount += Int64(chunk.count)
      for index in 0..<chunk.count {
        let current = chunk[index]
        if let hash { findings.sum &+= hash { current.column($0) } }
        row.begin(current)
        do {
          try elements.append {
            let element = try coding.decode(row, idColumn: rows.idColumn)
            if !findings.hasOtherIDs,
              !coding.hasID(of: element, current, idColumn: rows.idColumn)
            {
              findings.hasOtherIDs = true
            }
            return element
          }
        } catch {
          let id = current.value(at: rows.idColumn)
          // A separate ID column may contain a replacement that no user has seen, or an ID of
          // several members that another program has changed.
          let isSeparate = rows.idColumn >= rows.members.count
          let mayDiffer = isSeparate && (PartTable.isFreeID(id) || id.json != nil)
          let label = (mayDiffer ? coding.idForm(inMembersOf: row) : nil) ?? id
          try onBrokenRow(RowFailure(.decoding, table: rows.table, row: "\(label)", error), id)
          findings.hasOtherIDs = true
          continue
        }
        if current.kind(at: rows.orderColumn) != .integer { findings.hasUnnumberedRows = true }
        numbers.append(OrderNumbers.number(of: current, at: rows.orderColumn))
      }
    }
    findings.members = zip(rows.members, row.isClaimed).filter(\.1).map(\.0)
    if let order = OrderNumbers.ascendingIndices(of: numbers) {
      elements.arrange(by: order)
    }
    return (elements, findings)
  }
}

/// The rows of a part in the file.
struct PartRows {
  /// The name of the table in messages.
  let table: String
  /// Whether the table exists.
  let exist: Bool
  /// The recorded number of the rows; `nil` if none is recorded.
  let recordedCount: Int64?
  /// The recorded sum of the rows: NULL if another program has changed them, and `nil` if none is
  /// recorded.
  let recordedSum: StoredValue?
  /// Computes the hashes of the rows; `nil` if no sum is recorded.
  let hash: RowHash?
  /// The number of rows to reserve memory for. It is bounded, because a damaged file may record any
  /// number.
  var expectedCount: Int { Int(min(max(recordedCount ?? 0, 16), 1 << 15)) }
  /// The members that the first columns contain, in the order of these columns.
  let members: [String]
  let idColumn: Int
  let orderColumn: Int

  /// Returns whether a load has found the recorded number and sum.
  func have(_ findings: PartFindings) -> Bool {
    (recordedCount ?? findings.rowCount) == findings.rowCount
      && recordedSum.map { $0 == .integer(Int64(bitPattern: findings.sum)) } ?? true
  }

  /// Creates a `PartRows` for a part whose table is missing in the file.
  init(table: String, recordedCount: Int64?) {
    self.init(
      table: table, exist: false, recordedCount: recordedCount, recordedSum: nil, hash: nil,
      members: [], idColumn: 0, orderColumn: 0)
  }

  /// Creates a `PartRows` for a part whose table is in the file.
  init(
    table: String, recordedCount: Int64?, recordedSum: StoredValue?, hash: RowHash,
    members: [String], idColumn: Int, orderColumn: Int
  ) {
    let isSummed = if case .integer = recordedSum { true } else { false }
    self.init(
      table: table, exist: true, recordedCount: recordedCount, recordedSum: recordedSum,
      hash: isSummed ? hash : nil, members: members, idColumn: idColumn,
      orderColumn: orderColumn)
  }

  private init(
    table: String, exist: Bool, recordedCount: Int64?, recordedSum: StoredValue?, hash: RowHash?,
    members: [String], idColumn: Int, orderColumn: Int
  ) {
    self.table = table
    self.exist = exist
    self.recordedCount = recordedCount
    self.recordedSum = recordedSum
    self.hash = hash
    self.members = members
    self.idColumn = idColumn
    self.orderColumn = orderColumn
  }
}

/// The findings of a load about the table of a part.
struct PartFindings {
  /// The members that were decoded in at least one row.
  var members: [String] = []
  /// Whether some rows have no order number, because another program inserted them.
  var hasUnnumberedRows = false
  /// Whether the next save calls `PartTable.correctIDs(_:)`: the ID column of some rows contains
  /// another ID than their members, or some rows were skipped.
  var hasOtherIDs = false
  /// The number of the rows, including skipped ones.
  var rowCount: Int64 = 0
  /// The sum of the hashes of the rows, including skipped ones.
  var sum: UInt64 = 0
  /// Whether another program has changed the rows since they were saved.
  var isEdited = false
}
