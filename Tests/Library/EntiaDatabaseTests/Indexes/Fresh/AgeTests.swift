import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

/// A time in seconds.
func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

extension Inbox {
  /// Notes with the IDs, received one second after another, and their writer.
  static func sample(_ ids: ClosedRange<Int> = 1...4) throws -> Inbox {
    var inbox = Inbox()
    try inbox.performBatchUpdates { context in
      context.modifying.writers.insert(Writer(id: "w"), receivedAt: at(0))
      for id in ids { context.modifying.notes.insert(Note(id: id), receivedAt: at(Double(id))) }
    }
    return inbox
  }
}

@Suite("Indexes.Age")
struct AgeTests {
  @Test("Insertions with a time, and touches, record it; other writes do not")
  func recording() throws {
    var inbox = try Inbox.sample()
    let copy = inbox
    try inbox.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: 5))
      context.modifying.notes.insert(Note(id: 1, text: "edited"))
      context.modifying.notes.updateIfExists(id: 2) { $0.text = "edited" }
      context.modifying.notes.insert([Note(id: 3), Note(id: 6)], receivedAt: at(10))
      context.modifying.notes.touch([4, 9], at: at(11))
      expectEqual(context.modifying.noteAges.receivedAt(3), at(10))
    }
    let ages = inbox.noteAges
    expectTrue(ages.receivedAt(5) == nil && ages.receivedAt(9) == nil && ages.count == 5)
    expectTrue(ages.receivedAt(1) == at(1) && ages.receivedAt(2) == at(2))
    expectTrue(ages.receivedAt(3) == at(10) && ages.receivedAt(4) == at(11))
    expectEqual(ages.ids().map(\.raw), [1, 2, 3, 6, 4])
    expectEqual(ages.ids(receivedBefore: at(10)).map(\.raw), [1, 2])
    expectTrue(ages.ids(receivedBefore: at(1)).isEmpty)
    expectEqual(copy.noteAges.ids().map(\.raw), [1, 2, 3, 4])
    expectTrue(inbox.verify() == [] && copy.verify() == [])
  }

  @Test("A row is fresh for a duration; a time in the future counts as now")
  func freshness() throws {
    let ages = try Inbox.sample().noteAges
    expectTrue(ages.isFresh(1, within: .seconds(5), at: at(5.9)))
    expectFalse(ages.isFresh(1, within: .seconds(5), at: at(6)))
    expectTrue(ages.isFresh(4, within: .milliseconds(1), at: at(0)))
    expectFalse(ages.isFresh(4, within: .zero, at: at(0)))
    expectFalse(ages.isFresh(9, within: .seconds(100), at: at(0)))
  }

  @Test("The time of a removed row is removed, by a cascade too, and by a thrown batch none")
  func removal() throws {
    struct Stop: Error {}
    var inbox = try Inbox.sample()
    try inbox.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: 5, parentID: 1), receivedAt: at(5))
    }
    let copy = inbox
    #expect(throws: Stop.self) {
      try inbox.performBatchUpdates { context in
        context.modifying.notes.removeAll()
        expectTrue(context.modifying.noteAges.isEmpty)
        throw Stop()
      }
    }
    try inbox.performBatchUpdates { context in
      context.modifying.notes.remove(1)
      expectEqual(context.modifying.noteAges.ids().map(\.raw), [2, 3, 4])
    }
    expectTrue(inbox.noteAges.ids().map(\.raw) == [2, 3, 4] && inbox.verify() == [])
    expectEqual(copy.noteAges.ids().map(\.raw), [1, 2, 3, 4, 5])
  }

  @Test("Times are no part of equality and of change sets; a batch that only records is kept")
  func equality() throws {
    let inbox = try Inbox.sample()
    var again = inbox
    let report = try again.commitBatchUpdates(
      {
        var batch = again.beginBatchUpdates()
        batch.modifying.notes.touch([1, 2], at: at(20))
        return batch
      }())
    expectTrue(report.changes.isEmpty && again == inbox && again.changes(since: inbox).isEmpty)
    expectTrue(again.noteAges.receivedAt(1) == at(20) && inbox.noteAges.receivedAt(1) == at(1))
    expectFalse(again.hasIdenticalFreshness(inbox))
    try again.performBatchUpdates { $0.modifying.notes.touch([1], at: at(20)) }
    let same = again
    try again.performBatchUpdates { $0.modifying.notes.touch([1], at: at(20)) }
    expectTrue(again.snapshot.isIdentical(to: same.snapshot))
  }

  @Test("A change set carries no times: applied, it keeps those of the rows that stay")
  func changeSets() throws {
    let before = try Inbox.sample(1...2)
    var after = before
    try after.performBatchUpdates { context in
      context.modifying.notes.insert([Note(id: 1, text: "new"), Note(id: 3)], receivedAt: at(9))
      context.modifying.notes.remove(2)
    }
    var other = before
    try other.apply(after.changes(since: before))
    expectTrue(other == after && other.noteAges.ids().map(\.raw) == [1])
    expectTrue(other.noteAges.receivedAt(1) == at(1) && other.verify() == [])
  }

  @Test("In a merge the later time wins, and a reverted reception takes its times back")
  func merging() throws {
    let base = try Inbox.sample()
    var mine = base
    try mine.performBatchUpdates { context in
      context.modifying.notes.touch([1, 2], at: at(10))
      context.modifying.notes.remove(4)
    }
    var theirs = base
    try theirs.performBatchUpdates { context in
      context.modifying.notes.touch([2, 4], at: at(8))
      context.modifying.notes.touch([3], at: at(9))
      context.modifying.notes.insert(Note(id: 5), receivedAt: at(7))
    }
    for merged in [try mine.merging(theirs, base: base), try theirs.merging(mine, base: base)] {
      let ages = merged.storage.noteAges
      expectTrue(ages.ids().map(\.raw) == [5, 3, 1, 2] && merged.storage.verify() == [])
      expectTrue(ages.receivedAt(2) == at(10) && ages.receivedAt(3) == at(9))
    }
    let reverted = try theirs.merging(base, base: theirs).storage
    expectTrue(reverted == base && reverted.hasSameTimes(as: base))
  }

  @Test("Times are encoded with the database; a file without them is read")
  func coding() throws {
    let inbox = try Inbox.sample()
    let data = try JSONEncoder().encode(inbox)
    let decoded = try JSONDecoder().decode(Inbox.self, from: data)
    expectTrue(decoded == inbox && decoded.hasSameTimes(as: inbox) && decoded.verify() == [])
    let older = """
      {"notes": [{"id": 1, "text": "", "writerID": "w"}], "writers": [{"id": "w", "name": ""}],
      "pinned": []}
      """
    let read = try JSONDecoder().decode(Inbox.self, from: Data(older.utf8))
    expectTrue(read.notes.count == 1 && read.noteAges.isEmpty)
  }

  @Test("The oldest rows are found without a visit of the others")
  func oldest() throws {
    let inbox = try Inbox.sample(1...1000)
    expectEqual(inbox.noteAges.ids(receivedBefore: at(500)).prefix(3).map(\.raw), [1, 2, 3])
    expectEqual(inbox.noteAges.ids(receivedBefore: at(500)).count, 499)
  }
}

extension Inbox {
  func hasSameTimes(as other: Inbox) -> Bool {
    Array(noteAges.times) == Array(other.noteAges.times)
      && Array(writerAges.times) == Array(other.writerAges.times)
  }
}
