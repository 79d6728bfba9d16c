/// Rows among which those of a fetch are, found without looking at the others.
struct RowCandidates<Entity: EntityType> {
  /// How many rows there are, at most.
  let count: Int
  /// The names of the indexes and relationships that find them.
  let names: [String]
  /// How they are found, in words.
  let access: String
  /// Whether they come in the order of the fetch.
  var isInOrder = false
  /// Whether an ID may come twice.
  var hasRepeats = false
  /// Calls the closure with one ID after another until it answers `false`.
  let visit: ((Entity.EntityID) -> Bool) -> Void

  /// Returns the rows that are found by the one or the other.
  static func union(_ all: [RowCandidates]) -> RowCandidates {
    var names: [String] = []
    for name in all.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return RowCandidates(
      count: all.reduce(0) { $0 + $1.count }, names: names,
      access: all.map(\.access).joined(separator: " or "), hasRepeats: true
    ) { body in
      var goesOn = true
      for candidates in all where goesOn {
        candidates.visit { id in
          goesOn = body(id)
          return goesOn
        }
      }
    }
  }

  /// No row at all.
  static var none: RowCandidates {
    RowCandidates(count: 0, names: [], access: "a condition that no row meets") { _ in }
  }
}
