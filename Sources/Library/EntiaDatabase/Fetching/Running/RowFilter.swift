/// All conditions of a fetch on a row, as one test of a frame whose first slot is the row.
struct RowFilter<Entity: EntityType> {
  // Not optional: a closure in an optional is called through a thunk.
  private(set) var test: (PredicateFrame) throws -> Bool = { _ in true }
  /// Whether the filter accepts every row.
  private(set) var isEmpty = true
  private(set) var slotCount = 1
  /// The test of adjacent rows, if the conditions have one.
  private(set) var runTest: RunTest?

  init() {}

  mutating func require(_ predicate: CompiledPredicate) {
    slotCount = max(slotCount, predicate.slotCount)
    require(predicate.test, predicate.runTest)
  }

  mutating func require(_ closure: RowClosure<Entity>) {
    let accepts = closure.accepts
    require { frame in accepts(frame.address(of: 0).assumingMemoryBound(to: Entity.self)) }
  }

  mutating func require(
    _ next: @escaping (PredicateFrame) throws -> Bool, _ nextRunTest: RunTest? = nil
  ) {
    runTest = isEmpty ? nextRunTest : .both(runTest, nextRunTest)
    let first = test
    test = isEmpty ? next : { try first($0) && next($0) }
    isEmpty = false
  }
}
