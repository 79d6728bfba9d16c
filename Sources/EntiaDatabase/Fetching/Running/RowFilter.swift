/// Everything that a row must fulfil, as one test.
struct RowFilter<Entity: EntityType> {
  /// `nil` accepts every row.
  private(set) var test: ((PredicateFrame, UnsafeRawPointer) throws -> Bool)?
  private(set) var slotCount = 1

  init() {}

  mutating func require(_ predicate: CompiledPredicate) {
    slotCount = max(slotCount, predicate.slotCount)
    let test = predicate.test
    require { frame, row in
      frame.set(0, to: row)
      return try test(frame)
    }
  }

  mutating func require(_ closure: RowClosure<Entity>) {
    let accepts = closure.accepts
    require { _, row in accepts(row.assumingMemoryBound(to: Entity.self)) }
  }

  mutating func require(_ next: @escaping (PredicateFrame, UnsafeRawPointer) throws -> Bool) {
    guard let first = test else {
      test = next
      return
    }
    test = { try first($0, $1) && next($0, $1) }
  }
}
