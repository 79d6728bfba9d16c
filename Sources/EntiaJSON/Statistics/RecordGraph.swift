/// The rows of a database as numbers, and which row names which.
struct RecordGraph {
  let records: [Record]
  let index: [RecordID: Int]
  /// What all references name, one holder's after another's: a row, or nil if it does not exist.
  private var allReferences: [Int?] = []
  /// The rows that are named, all holders' after one another.
  private var allTargets: [Int] = []
  /// Where the references, and the rows named, of each row begin.
  private var starts: [(reference: Int, target: Int)] = [(0, 0)]

  init(_ database: RecordDatabase) {
    records = database.records
    var index: [RecordID: Int] = [:]
    index.reserveCapacity(records.count)
    for (row, record) in records.enumerated() { index[record.id] = row }
    self.index = index
    for record in records {
      for value in record.values {
        switch value {
        case .plain: continue
        case .reference(let id): add(index[id])
        case .references(let ids): for id in ids { add(index[id]) }
        }
      }
      starts.append((allReferences.count, allTargets.count))
    }
  }

  private mutating func add(_ target: Int?) {
    allReferences.append(target)
    // A reference to a row that does not exist leads nowhere.
    if let target { allTargets.append(target) }
  }

  /// What the references of a row name, in the order of its members; nil for no row.
  func references(of row: Int) -> ArraySlice<Int?> {
    allReferences[starts[row].reference..<starts[row + 1].reference]
  }

  /// The rows that a row names, in the order of its members.
  func targets(of row: Int) -> ArraySlice<Int> {
    allTargets[starts[row].target..<starts[row + 1].target]
  }
}
