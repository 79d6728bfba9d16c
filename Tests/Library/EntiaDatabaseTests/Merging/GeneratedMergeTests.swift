import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

/// Three versions of rows, which are random.
private struct Fork {
  var base: [Sheet]
  var mine: [Sheet]
  var theirs: [Sheet]

  init(seed: UInt64, edits: Int) {
    var random = SeededGenerator(seed: seed)
    func edited(_ sheets: [Sheet], _ count: Int) -> [Sheet] {
      sheets.map { sheet in
        var copy = sheet
        for _ in 0..<count {
          let edit = Sheet.edits[random.number(in: 0..<Sheet.edits.count)]
          edit(&copy, random.number(in: 0..<12))
        }
        return copy
      }
    }
    base = edited((0..<3).map { Sheet(id: $0) }, 8)
    mine = edited(base, edits)
    theirs = edited(base, edits)
  }
}

private struct Outcome: Equatable {
  var rows: [String]?
  var conflicts: [[String]] = []
}

/// Returns the rows of a merge as text, in which NaN equals itself, and the members in conflict.
private func merged<Row>(
  _ fork: Fork, _ row: (Sheet) -> Row, _ sheet: (Row) -> Sheet
) throws -> (Outcome, StorageChangeSet<Binder<Row>>) {
  let base = Binder(fork.base.map(row))
  let (mine, theirs) = (
    base.replacing(fork.mine.map(row)), base.replacing(fork.theirs.map(row))
  )
  let changes = theirs.changes(since: base)
  do {
    let result = try mine.merging(theirs, base: base)
    expectEqual(result.conflicts, [])
    return (Outcome(rows: result.storage.sheets.map { text(sheet($0)) }), changes)
  } catch let error as MergeError {
    return (Outcome(rows: nil, conflicts: error.conflicts.map(\.members)), changes)
  }
}

private func text(_ sheet: Sheet) -> String {
  var copy = sheet
  (copy.words, copy.scores, copy.readers) = ([], [:], [])
  let readers = sheet.readers.sorted { $0.id < $1.id }
  return """
    \(copy) \(sheet.words.sorted()) \(sheet.scores.sorted { $0.key < $1.key }) \(readers)
    """
}

@Suite("Merges of rows that generated code merges")
struct GeneratedMergeTests {
  @Test("Law 41: generated code merges the same rows, and finds the same conflicts, as Codable")
  func sameAsCodable() throws {
    var merges = 0
    var conflicts = 0
    for seed in LawRuns(count: 200).seeds {
      let fork = Fork(seed: seed, edits: Int(seed % 4) + 1)
      let (expected, codedChanges) = try merged(fork, { $0 }, { $0 })
      let (found, changes) = try merged(fork, GeneratedSheet.init, \.sheet)
      expectEqual(found, expected, "seed \(seed)")
      expectEqual(
        changes.sheets.updated.map(\.differingMembers),
        codedChanges.sheets.updated.map(\.differingMembers), "seed \(seed)")
      if expected.rows == nil { conflicts += 1 } else { merges += 1 }
    }
    expectTrue(merges > 20 && conflicts > 20)
  }

  @Test("Every member is merged alone, from either side, and refused if both changed it")
  func eachMember() throws {
    for (index, edit) in Sheet.edits.enumerated() {
      for other in Sheet.edits.indices {
        var fork = Fork(seed: 0, edits: 0)
        fork.base = [Sheet(id: 0)]
        (fork.mine, fork.theirs) = (fork.base, fork.base)
        edit(&fork.mine[0], 1)
        Sheet.edits[other](&fork.theirs[0], 2)
        let (expected, _) = try merged(fork, { $0 }, { $0 })
        let (found, _) = try merged(fork, GeneratedSheet.init, \.sheet)
        expectEqual(found, expected, "\(index) and \(other)")
        if index != other { expectTrue(found.rows != nil, "\(index) and \(other)") }
      }
    }
  }

  @Test("A conflict lists the members that both sides changed, under their outside names")
  func conflictMembers() throws {
    var sheet = Sheet(id: 1)
    let base = Binder([GeneratedSheet(sheet)])
    (sheet.title, sheet.authorID, sheet.count) = ("mine", "m", 1)
    let mine = base.replacing([GeneratedSheet(sheet)])
    (sheet.title, sheet.authorID, sheet.count, sheet.pages) = ("theirs", "t", 1, 2)
    let theirs = base.replacing([GeneratedSheet(sheet)])
    let error = #expect(throws: MergeError.self) { try mine.merging(theirs, base: base) }
    expectEqual(error?.conflicts.map(\.members), [["title", "author"]])
    expectEqual(error?.description.contains("title; author): nothing is merged"), true)
    let empty = Binder<GeneratedSheet>()
    let inserted = #expect(throws: MergeError.self) {
      try empty.replacing([GeneratedSheet(Sheet(id: 1))])
        .merging(empty.replacing([GeneratedSheet(sheet)]), base: empty)
    }
    expectEqual(inserted?.conflicts.map(\.members), [["title", "author", "count", "pages"]])
    let removed = #expect(throws: MergeError.self) {
      try empty.merging(theirs, base: base)
    }
    expectEqual(removed?.conflicts.map(\.members), [[]])
  }

  @Test("Changes name the members that differ, in the order of their declaration")
  func differing() {
    var sheet = Sheet(id: 1)
    let base = Binder([GeneratedSheet(sheet)])
    (sheet.summary, sheet.authorID, sheet.reader, sheet.scroll) = ("s", "b", Reader(1, "A"), 5)
    let next = base.replacing([GeneratedSheet(sheet)])
    let names = ["author", "summary", "reader"]
    expectEqual(next.changes(since: base).sheets.updated.map(\.differingMembers), [names])
    expectEqual(base.changes(since: next).sheets.updated.map(\.differingMembers), [names])
    let coded = Binder([Sheet(id: 1)])
    expectEqual(
      coded.replacing([sheet]).changes(since: coded).sheets.updated.map(\.differingMembers), [names]
    )
  }

  @Test("Members that cannot be compared are merged by their encoded form, or kept")
  func incomparable() {
    struct Opaque: Encodable { var text: String }
    var merger = RowMerger()
    let (one, two) = (Opaque(text: "1"), Opaque(text: "2"))
    expectEqual(merger.merged("a", one, two, base: one).text, "2")
    expectEqual(merger.merged("a", two, one, base: one).text, "2")
    expectEqual(merger.merged("a", two, Opaque(text: "3"), base: one).text, "2")
    expectEqual(merger.conflicts, ["a"])
    let call = merger.merged("b", { 1 }, { 2 }, base: { 3 })
    expectTrue(call() == 1 && merger.conflicts == ["a"])
  }
}
