import EntiaDatabase

/// The rows of a database as numbers, and which row names which.
struct RecordGraph {
  let records: [Record]
  let index: [RecordID: Int]
  /// The rows that are named, all holders' after one another.
  private var allTargets: [Int] = []
  /// Where the rows that each row names begin.
  private var starts: [Int] = [0]

  init(_ database: RecordDatabase) {
    records = database.records
    var index: [RecordID: Int] = [:]
    index.reserveCapacity(records.count)
    for (row, record) in records.enumerated() { index[record.id] = row }
    self.index = index
    for record in records {
      // A reference to a row that does not exist leads nowhere.
      for reference in record.references {
        if let target = index[reference.raw] { allTargets.append(target) }
      }
      starts.append(allTargets.count)
    }
  }

  /// The rows that a row names, in the order of its members.
  func targets(of row: Int) -> ArraySlice<Int> { allTargets[starts[row]..<starts[row + 1]] }
}
