/// One contestant's way through a case.
struct Contender {
  let name: String
  /// Whether its results can be compared with the others'.
  var isComparable = true
  /// Passes through the case until the run wants no more; called many times, never from two threads.
  let turn: (inout Run) throws -> Void

  init(
    _ name: String, isComparable: Bool = true, _ turn: @escaping (inout Run) throws -> Void
  ) {
    self.name = name
    self.isComparable = isComparable
    self.turn = turn
  }
}
