/// One contestant's implementation of a case.
struct Contender {
  let name: String
  /// Whether its results can be compared with those of the others.
  var isComparable = true
  /// Runs passes of the case until the run requests no more. It is called many times, never from
  /// two threads at once.
  let turn: (inout Run) throws -> Void

  init(
    _ name: String, isComparable: Bool = true, _ turn: @escaping (inout Run) throws -> Void
  ) {
    self.name = name
    self.isComparable = isComparable
    self.turn = turn
  }
}
