/// The references of a row. Most rows have at most one, which needs no array.
enum RecordTargets: Hashable, Sendable {
  case none
  case one(RecordID)
  case many([RecordID])

  init(_ ids: some Collection<RecordID>) {
    switch ids.count {
    case 0: self = .none
    case 1: self = ids.first.map(RecordTargets.one) ?? .none
    default: self = .many(Array(ids))
    }
  }

  var count: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .many(let ids): ids.count
    }
  }

  subscript(index: Int) -> RecordID? {
    switch self {
    case .none: nil
    case .one(let id): index == 0 ? id : nil
    case .many(let ids): ids.indices.contains(index) ? ids[index] : nil
    }
  }

  /// Calls the closure with each row, in order.
  @inline(__always)
  func visit(_ body: (RecordID) throws -> Void) rethrows {
    switch self {
    case .none: break
    case .one(let id): try body(id)
    case .many(let ids): for id in ids { try body(id) }
    }
  }
}
