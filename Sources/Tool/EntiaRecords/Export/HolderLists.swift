import EntiaCoding
import EntiaDatabase

/// The rows that refer to a row, through each inverse of one run of denormalizing.
struct HolderLists {
  private struct Place: Hashable {
    let row: RecordID
    let inverse: Int
  }

  /// The maximum number of references in a list that is not cached. Only longer lists are cached,
  /// so that they are few.
  private static let keptCount = 16

  private let database: RecordDatabase
  private let inverses: [(inverse: RecordInverse, relationship: Schema.Relationship?)]
  private var known: [Place: [RecordID]] = [:]
  /// The number of references that have been examined.
  private(set) var examinedCount = 0

  init(_ database: RecordDatabase, _ inverses: [RecordInverse]) {
    self.database = database
    self.inverses = inverses.map { ($0, database.relationship(of: $0)) }
  }

  /// Returns the rows that refer to a row through a member, in the order in which the references
  /// were added; nil if the member never refers to rows of this entity.
  ///
  /// - Complexity: O(references to the row) the first time, then O(1).
  mutating func holders(of id: RecordID, through index: Int) -> [RecordID]? {
    let (inverse, relationship) = inverses[index]
    guard relationship?.names(id.entity) == true else { return nil }
    let place = Place(row: id, inverse: index)
    if let holders = known[place] { return holders }
    let all = database.holders(of: id)
    examinedCount += all.count
    let holders = all.filter { holder in
      guard holder.entity.isExactly(inverse.entity) else { return false }
      switch database.record(holder)?[inverse.member] {
      case .reference(let target): return target == id
      case .references(let targets): return targets.contains(id)
      case .plain, nil: return false
      }
    }
    if all.count > Self.keptCount { known[place] = holders }
    return holders
  }
}
