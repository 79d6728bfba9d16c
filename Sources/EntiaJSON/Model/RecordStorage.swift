struct RecordStorage: Sendable, Equatable {
  private var rows: [RecordID: Record] = [:]
  private var order: [RecordID] = []
  var count: Int { rows.count }
  func record(_ id: RecordID) -> Record? { rows[id] }
  var all: [Record] { order.compactMap { rows[$0] } }
  mutating func write(_ records: [Record]) throws {
    for record in records where rows.updateValue(record, forKey: record.id) == nil {
      order.append(record.id)
    }
  }
  func problems() -> [String] { [] }
  static func == (left: Self, right: Self) -> Bool { left.rows == right.rows }
}
