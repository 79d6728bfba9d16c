/// A superset of the rows of a fetch, found without examining the other rows.
struct RowCandidates<Entity: EntityType> {
  /// The maximum number of rows.
  let count: Int
  /// The names of the indexes and relationships that find the rows.
  let names: [String]
  /// The way in which the rows are found, in words.
  let access: String
  /// Whether the rows are visited in the order of the fetch.
  let isInOrder: Bool
  /// Whether an ID may be visited twice.
  let hasRepeats: Bool
  /// Calls the closure with each ID until it returns `false`.
  let visit: ((Entity.EntityID) -> Bool) -> Void

  /// Creates candidates from the lists of an index, a key or a relationship.
  /// - Parameters:
  ///   - lists: The IDs that were looked up, one list for each value.
  ///   - name: The name of the index, key or relationship.
  ///   - access: The way in which the rows are found, in words.
  init(_ lists: [LinkList<Entity.EntityID>], foundBy name: String, _ access: String) {
    let count = lists.reduce(0) { $0 + $1.count }
    self.init(
      count: count, names: [name], access: access, isInOrder: count <= 1, hasRepeats: count > 1
    ) { body in
      var isDone = false
      for list in lists where !isDone {
        list.visit { id in
          isDone = !body(id)
          return !isDone
        }
      }
    }
  }

  init(
    count: Int, names: [String], access: String, isInOrder: Bool = false, hasRepeats: Bool = false,
    visit: @escaping ((Entity.EntityID) -> Bool) -> Void
  ) {
    self.count = count
    self.names = names
    self.access = access
    self.isInOrder = isInOrder
    self.hasRepeats = hasRepeats
    self.visit = visit
  }

  /// Returns the union of candidates.
  static func union(_ all: [RowCandidates]) -> RowCandidates {
    var names: [String] = []
    for name in all.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return RowCandidates(
      count: all.reduce(0) { $0 + $1.count }, names: names,
      access: all.map(\.access).joined(separator: " or "), hasRepeats: true
    ) { body in
      var shouldContinue = true
      for candidates in all where shouldContinue {
        candidates.visit { id in
          shouldContinue = body(id)
          return shouldContinue
        }
      }
    }
  }

  /// Candidates without rows.
  static var none: RowCandidates {
    RowCandidates(count: 0, names: [], access: "a condition that no row meets") { _ in }
  }
}
