import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 25: histories")
struct HistoryLawTests {
  /// A seed that fails is printed with its step; `ENTIA_TEST_SCALE` adds more.
  static let seeds: [UInt64] = (0..<scaled(20)).map { UInt64($0) }

  @Test("A history is a list of values and a position in it", arguments: seeds)
  func history(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let depth = Int.random(in: 0...6, using: &random)
    var history = History(initialValue: 0, depth: depth)
    var past: [Int] = []
    var future: [Int] = []
    for step in 0..<200 {
      let before = history.value
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let new = Int.random(in: 0...5, using: &random)
        history.value = new
        if new != before { note(before, &past, &future, depth) }
      case 4:
        let values = (0..<3).map { _ in Int.random(in: 0...5, using: &random) }
        history.group { group in for value in values { group.value = value } }
        if zip([before] + values, values).contains(where: { $0 != $1 }) {
          note(before, &past, &future, depth)
          // A group that leads back to its start is no step.
          if values.last == before { _ = past.popLast() }
        }
      case 5..<8:
        expectEqual(history.undo(), !past.isEmpty)
        if let value = past.popLast() {
          future.append(before)
          expectEqual(history.value, value)
          var again = history
          again.redo()
          expectEqual(again.value, before, "redo∘undo, seed \(seed), step \(step)")
        }
      default:
        expectEqual(history.redo(), !future.isEmpty)
        if let value = future.popLast() {
          past.append(before)
          expectEqual(history.value, value)
        }
      }
      let isRight =
        history.undoCount == past.count && history.redoCount == future.count
        && history.undoValue == past.last && history.redoValue == future.last
      expectTrue(isRight, "seed \(seed), step \(step)")
      if !isRight { return }
      var walked = history
      var undone: [Int] = []
      while walked.undo() { undone.append(walked.value) }
      expectEqual(undone, past.reversed(), "seed \(seed), step \(step)")
      while walked.redo() {}
      expectEqual(walked.value, future.first ?? history.value, "seed \(seed), step \(step)")
    }
  }

  private func note(_ before: Int, _ past: inout [Int], _ future: inout [Int], _ depth: Int) {
    past.append(before)
    if past.count > depth { past.removeFirst() }
    future = []
  }
}
