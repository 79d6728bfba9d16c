/// An execution of a plan.
struct FetchRun<Entity: EntityType> {
  let plan: FetchPlan<Entity>
  let counter: FetchCounter

  /// Calls the closure with the rows of the result, in order, until it returns `false`.
  func visitRows(_ body: (UnsafePointer<Entity>) -> Bool) {
    if plan.limit == 0 { return }
    withExtendedLifetime(plan.table) {
      PredicateFrame.with(slotCount: plan.filter.slotCount) { frame in
        withStart { start in
          if plan.isInOrder {
            stream(frame, start, body)
          } else {
            sort(frame, start, body)
          }
        }
      }
    }
  }

  /// Returns the number of rows of the result, regardless of their order.
  func count() -> Int {
    let wanted = plan.wanted ?? .max
    var matches = 0
    if plan.candidates == nil, plan.start == nil, let test = plan.filter.runTest, test.isExact {
      let stride = MemoryLayout<Entity>.stride
      withExtendedLifetime(plan.table) {
        plan.table.forEachRun { first, count in
          matches &+= matchCount(first, count, stride, test.matches)
          return matches < wanted
        }
      }
      return min(max(0, matches - plan.offset), plan.limit ?? .max)
    }
    if plan.search != nil, plan.filter.isEmpty, plan.start == nil, let candidates = plan.candidates
    {
      return min(max(0, candidates.count - plan.offset), plan.limit ?? .max)
    }
    visitRows { _ in
      matches += 1
      return true
    }
    return matches
  }

  /// Passes rows to the closure as they are found.
  private func stream(
    _ frame: PredicateFrame, _ start: StartRow?, _ body: (UnsafePointer<Entity>) -> Bool
  ) {
    // The plan is read before the visit, because reading a field of a generic type costs more than
    // testing a row.
    let (offset, counter) = (plan.offset, counter)
    var skipped = 0
    var rest = plan.limit ?? .max
    visit(frame, start) { found in
      if skipped < offset {
        skipped += 1
        return true
      }
      rest -= 1
      counter.work.rowsReturned += 1
      return body(found.row.assumingMemoryBound(to: Entity.self)) && rest > 0
    }
  }

  /// Finds all matching rows, and passes those within offset and limit to the closure, in order.
  private func sort(
    _ frame: PredicateFrame, _ start: StartRow?, _ body: (UnsafePointer<Entity>) -> Bool
  ) {
    // Without a sort, all rows compare equal, and are ordered by their positions in the table.
    let compare: RowComparison = if let order = plan.order { order.compare } else { { _, _ in 0 } }
    var ranked = RankedRows(limit: plan.wanted, compare)
    visit(frame, start) {
      ranked.offer($0)
      return true
    }
    let rows = ranked.sorted()
    if plan.order != nil { counter.work.comparisons += ranked.comparisons }
    for found in rows.dropFirst(plan.offset) {
      guard hand(found.row, to: body) else { return }
    }
  }

  private func hand(_ row: UnsafeRawPointer, to body: (UnsafePointer<Entity>) -> Bool) -> Bool {
    counter.work.rowsReturned += 1
    return body(row.assumingMemoryBound(to: Entity.self))
  }

  /// Calls the closure with the matching rows after the start, until it returns `false`.
  private func visit(
    _ frame: PredicateFrame, _ start: StartRow?, _ body: (RankedRow) -> Bool
  ) {
    if let candidates = plan.candidates {
      var seen: Set<Entity.EntityID> = []
      candidates.visit { id in
        if candidates.hasRepeats, !seen.insert(id).inserted { return true }
        guard let found = plan.table.row(of: id) else { return true }
        counter.work.rowsExamined += 1
        guard accepts(frame, found.row), isBehind(found, start) else { return true }
        return body(found)
      }
      return
    }
    let stride = MemoryLayout<Entity>.stride
    var position = 0
    let (test, runTest) = (plan.filter.test, plan.filter.runTest)
    let hasStart = start != nil
    plan.table.forEachRun { first, count in
      let passed = firstRefused(first, count, stride, frame, runTest, test) { row, offset in
        let found = RankedRow(row: row, position: position &+ offset)
        if hasStart, !isBehind(found, start) { return true }
        return body(found)
      }
      counter.work.rowsExamined += passed.map { $0 + 1 } ?? count
      position &+= count
      return passed == nil
    }
  }

  private func accepts(_ frame: PredicateFrame, _ row: UnsafeRawPointer) -> Bool {
    if plan.filter.isEmpty { return true }
    frame.set(0, to: row)
    // A row for which the predicate has no value does not match.
    do { return try plan.filter.test(frame) } catch { return false }
  }
}

/// Calls the closure with the rows of a run that `runTest` and `test` accept, until the closure
/// returns `false`.
/// - Returns: The offset of the row for which the closure returned `false`, or `nil` if the closure
///   never returned `false`.
// This function is outside of generic types, so that its loops read no field of a generic type.
private func firstRefused(
  _ first: UnsafeRawPointer, _ count: Int, _ stride: Int, _ frame: PredicateFrame,
  _ runTest: RunTest?, _ test: (PredicateFrame) throws -> Bool,
  _ body: (UnsafeRawPointer, Int) -> Bool
) -> Int? {
  guard let runTest else {
    var row = first
    for offset in 0..<count {
      frame.set(0, to: row)
      // A row for which the predicate has no value does not match.
      do { if try test(frame), !body(row, offset) { return offset } } catch {}
      row += stride
    }
    return nil
  }
  var start = 0
  while start < count {
    let length = min(RunTest.maximumCount, count - start)
    var rest = runTest.matches(first + start * stride, stride, length)
    while rest != 0 {
      let offset = start + rest.trailingZeroBitCount
      rest &= rest &- 1
      let row = first + offset * stride
      if !runTest.isExact {
        frame.set(0, to: row)
        // A row for which the predicate has no value does not match.
        do { guard try test(frame) else { continue } } catch { continue }
      }
      if !body(row, offset) { return offset }
    }
    start += length
  }
  return nil
}

/// Returns the number of rows of a run that a test accepts.
private func matchCount(
  _ first: UnsafeRawPointer, _ count: Int, _ stride: Int,
  _ matches: (UnsafeRawPointer, Int, Int) -> UInt64
) -> Int {
  if count <= RunTest.maximumCount { return matches(first, stride, count).nonzeroBitCount }
  var result = 0
  for start in Swift.stride(from: 0, to: count, by: RunTest.maximumCount) {
    let length = min(RunTest.maximumCount, count - start)
    result += matches(first + start * stride, stride, length).nonzeroBitCount
  }
  return result
}

/// The row after which a page begins.
private struct StartRow {
  /// The row as it was when the previous page was read.
  let row: UnsafeRawPointer
  /// The current position of the row in the table. `nil` if the row was removed. Also `nil` if
  /// equal rows are ordered by ID, because the position is then not needed.
  let position: Int?
}

extension FetchRun {
  private func withStart(_ body: (StartRow?) -> Void) {
    guard let entity = plan.start?.cursor?.entity else { return body(nil) }
    withUnsafePointer(to: entity) {
      body(StartRow(row: UnsafeRawPointer($0), position: position(of: entity.entityID)))
    }
  }

  /// Returns the position of a row in the table. Returns `nil` if no row has the ID. Also returns
  /// `nil` if equal rows are ordered by ID, because the position is then not needed.
  private func position(of id: Entity.EntityID) -> Int? {
    guard plan.order?.tie == nil, let found = plan.table.row(of: id) else { return nil }
    if plan.candidates != nil { return found.position }
    let stride = MemoryLayout<Entity>.stride
    var position = 0
    plan.table.forEachRun { first, count in
      let distance = found.row - first
      guard distance >= 0, distance < count * stride else {
        position += count
        return true
      }
      position += distance / stride
      return false
    }
    return position
  }

  private func isBehind(_ found: RankedRow, _ start: StartRow?) -> Bool {
    guard let start, let order = plan.order else { return true }
    let result = order.compare(start.row, found.row)
    if result != 0 || order.tie != nil { return result < 0 }
    // Rows that compare equal are in the table's order. If the row after which the page begins was
    // removed, its position is not known. All rows that compare equal to it are then returned,
    // because returning rows twice is better than skipping rows.
    return start.position.map { $0 < found.position } ?? true
  }
}
