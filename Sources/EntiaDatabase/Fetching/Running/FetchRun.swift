/// Runs a plan.
struct FetchRun<Entity: EntityType> {
  let plan: FetchPlan<Entity>
  let counter: FetchCounter

  /// Calls the closure with the rows of the result, in order, until it answers `false`.
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

  /// Hands rows on as they are found.
  private func stream(
    _ frame: PredicateFrame, _ start: StartRow?, _ body: (UnsafePointer<Entity>) -> Bool
  ) {
    // Taken out of the plan first: to look into generic types costs more than a row does.
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

  /// Finds all rows that match, and hands the first of them on in order.
  private func sort(
    _ frame: PredicateFrame, _ start: StartRow?, _ body: (UnsafePointer<Entity>) -> Bool
  ) {
    // Without an order, their places are all there is to compare.
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

  /// Calls the closure with the rows that match and come behind the start, until it answers `false`.
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
    var place = 0
    let test = plan.filter.test
    let hasStart = start != nil
    plan.table.forEachRun { first, count in
      let passed = firstRefused(first, count, stride, frame, test) { row, offset in
        let found = RankedRow(row: row, place: place &+ offset)
        if hasStart, !isBehind(found, start) { return true }
        return body(found)
      }
      counter.work.rowsExamined += passed.map { $0 + 1 } ?? count
      place &+= count
      return passed == nil
    }
  }

  private func accepts(_ frame: PredicateFrame, _ row: UnsafeRawPointer) -> Bool {
    if plan.filter.isEmpty { return true }
    frame.set(0, to: row)
    // A row for which a predicate has no value is none that it accepts.
    do { return try plan.filter.test(frame) } catch { return false }
  }
}

/// Calls the closure with the rows of a run that the test accepts, until it answers `false`.
/// - Returns: the number in the run of the row for which it did.
// On its own, and not in a generic type, so that nothing but the row changes from one turn of the loop
// to the next.
private func firstRefused(
  _ first: UnsafeRawPointer, _ count: Int, _ stride: Int, _ frame: PredicateFrame,
  _ test: (PredicateFrame) throws -> Bool, _ body: (UnsafeRawPointer, Int) -> Bool
) -> Int? {
  var row = first
  for offset in 0..<count {
    frame.set(0, to: row)
    // A row for which a predicate has no value is none that it accepts.
    do { if try test(frame), !body(row, offset) { return offset } } catch {}
    row += stride
  }
  return nil
}

/// The row behind which a page begins.
private struct StartRow {
  /// The row as it was.
  let row: UnsafeRawPointer
  /// Where in the table it is now, by the numbers that rows are found with; `nil` once it is gone.
  let place: Int?
}

extension FetchRun {
  private func withStart(_ body: (StartRow?) -> Void) {
    guard case .behind(let entity) = plan.start else { return body(nil) }
    withUnsafePointer(to: entity) {
      body(StartRow(row: UnsafeRawPointer($0), place: place(of: entity.entityID)))
    }
  }

  /// The number of a row's place, needed only where IDs have no order.
  private func place(of id: Entity.EntityID) -> Int? {
    guard plan.order?.tie == nil, let found = plan.table.row(of: id) else { return nil }
    if plan.candidates != nil { return found.place }
    let stride = MemoryLayout<Entity>.stride
    var place = 0
    plan.table.forEachRun { first, count in
      let distance = found.row - first
      guard distance >= 0, distance < count * stride else {
        place += count
        return true
      }
      place += distance / stride
      return false
    }
    return place
  }

  private func isBehind(_ found: RankedRow, _ start: StartRow?) -> Bool {
    guard let start, let order = plan.order else { return true }
    let result = order.compare(start.row, found.row)
    if result != 0 || order.tie != nil { return result < 0 }
    // Among rows that nothing tells apart and that come in the table's order, those behind one that
    // is gone are not known: they come again rather than not at all.
    return start.place.map { $0 < found.place } ?? true
  }
}
