/// The graph of references, with rows represented by integers.
struct RecordGraph {
  let records: [Record]
  let index: [RecordID: Int]
  /// The targets of all references, grouped by holder: a row, or nil if it does not exist.
  private var allReferences: [Int?] = []
  /// The existing targets of all references, grouped by holder.
  private var allTargets: [Int] = []
  /// The start of each row's references and of its existing targets.
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
    // A reference to a row that does not exist is not an edge.
    if let target { allTargets.append(target) }
  }

  /// Returns the targets of a row's references, in order of its members; nil for rows that do not
  /// exist.
  func references(of row: Int) -> ArraySlice<Int?> {
    allReferences[starts[row].reference..<starts[row + 1].reference]
  }

  /// Returns the existing rows that a row refers to, in order of its members.
  func targets(of row: Int) -> ArraySlice<Int> {
    allTargets[starts[row].target..<starts[row + 1].target]
  }
}
