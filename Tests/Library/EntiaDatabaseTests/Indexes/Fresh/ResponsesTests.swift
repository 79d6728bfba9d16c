import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Indexes.Responses")
struct ResponsesTests {
  private func received(_ pages: (String?, [Note.EntityID], String?)...) throws -> Inbox {
    var inbox = try Inbox.sample(1...9)
    try inbox.performBatchUpdates { context in
      for (index, page) in pages.enumerated() {
        context.modifying.answers.receive(
          page.1, for: .all, after: page.0, next: page.2, at: at(10 + Double(index)))
      }
    }
    return inbox
  }

  @Test("An answer has the IDs of existing entities in its order, each once")
  func answers() throws {
    var inbox = try received((nil, [3, 1, 3, 20, 2], nil))
    let copy = inbox
    expectEqual(inbox.answers.ids(for: .all), [3, 1, 2])
    expectTrue(inbox.answers[.all]?.receivedAt == at(10) && inbox.answers[.all]?.isComplete == true)
    expectTrue(inbox.answers[.by("w")] == nil && inbox.answers.ids(for: .by("w")) == [])
    expectEqual(inbox.answers[.all]?.isFresh(within: .seconds(60), at: at(69)), true)
    expectEqual(inbox.answers[.all]?.isFresh(within: .seconds(60), at: at(70)), false)
    try inbox.performBatchUpdates { context in
      context.modifying.answers.receive([1, 4], for: .by("w"), next: "c", at: at(20))
      context.modifying.notes.remove(1)
      expectEqual(context.modifying.answers.ids(for: .all), [3, 2])
    }
    expectTrue(inbox.answers.ids(for: .by("w")) == [4] && inbox.answers[.by("w")]?.cursor == "c")
    expectTrue(inbox.answers.requests() == [.all, .by("w")] && inbox.answers.count == 2)
    expectEqual(inbox.answers.requests(containing: 4), [.by("w")])
    expectTrue(inbox.verify() == [] && copy.answers.ids(for: .all) == [3, 1, 2])
    expectEqual(copy.verify(), [])
  }

  @Test("Pages are appended by their cursors without repeats")
  func pages() throws {
    let inbox = try received((nil, [1, 2], "a"), ("a", [2, 3, 4], "b"), ("b", [5, 1], nil))
    expectEqual(inbox.answers.ids(for: .all), [1, 2, 3, 4, 5])
    expectTrue(inbox.answers[.all]?.isComplete == true && inbox.answers[.all]?.count == 5)
    expectTrue(inbox.answers[.all]?.receivedAt == at(10) && inbox.verify() == [])
  }

  @Test("The same page again replaces its own part; pages that do not follow it are removed")
  func replacing() throws {
    let pages: [(String?, [Note.EntityID], String?)] = [
      (nil, [1, 2], "a"), ("a", [3, 4], "b"), ("b", [5, 6], nil),
    ]
    let same = try received(pages[0], pages[1], pages[2], ("a", [7, 2, 5], "b"))
    expectTrue(same.answers.ids(for: .all) == [1, 2, 7, 5, 6] && same.verify() == [])
    let moved = try received(pages[0], pages[1], pages[2], (nil, [9, 1], "x"))
    expectTrue(moved.answers.ids(for: .all) == [9, 1] && moved.answers[.all]?.cursor == "x")
    expectEqual(moved.verify(), [])
    let first = try received(pages[0], pages[1], pages[2], (nil, [4, 1], "a"))
    expectTrue(first.answers.ids(for: .all) == [4, 1, 3, 5, 6] && first.verify() == [])
  }

  @Test("A page is appended in the work of its IDs, however long the answer is")
  func appending() {
    typealias Page = ResponsePage<CountedSong>
    func page(_ start: Int, _ numbers: [Int]) -> Page {
      var ids = Indexes.OrderedID<CountedSong>()
      for number in numbers { ids.insert(.init(CountedRawID(number))) }
      let after = start == 0 ? nil : "\(start)"
      return Page(after: after, next: "\(start + 50)", receivedAt: at(0), ids: ids)
    }
    var former: Int?
    for count in [1_000, 8_000] {
      var answers = Indexes.Responses<Int, CountedSong>()
      for start in stride(from: 0, to: count, by: 50) {
        let isReceived = answers.receive(page(start, Array(start..<(start + 50))), for: 1)
        expectTrue(isReceived)
      }
      let last = page(count, Array(10..<20) + Array(count..<(count + 40)))
      let (isReceived, uses) = CountedRawID.work { answers.receive(last, for: 1) }
      expectTrue(isReceived && answers.ids(for: 1).map(\.raw.number) == Array(0..<(count + 40)))
      expectEqual(answers.requests(containing: .init(CountedRawID(count + 39))), [1])
      expectEqual(answers.requests(containing: .init(CountedRawID(count + 40))), [])
      if let former { #expect(uses < 2 * former + 100, "\(uses) \(former)") }
      former = uses
    }
  }

  @Test("A page to which no other leads is refused")
  func refused() throws {
    var inbox = try received((nil, [1], "a"), ("z", [2], nil))
    expectEqual(inbox.answers.ids(for: .all), [1])
    try inbox.performBatchUpdates { context in
      let isFirst = context.modifying.answers.receive([3], for: .by("w"), after: "a", at: at(1))
      let follows = context.modifying.answers.receive([3], for: .all, after: "a", at: at(30))
      expectTrue(!isFirst && follows)
    }
    expectTrue(inbox.answers.ids(for: .all) == [1, 3] && inbox.answers.count == 1)
  }

  @Test("An invalidated answer is not fresh until it is received again")
  func invalidation() throws {
    var inbox = try received((nil, [1], "a"))
    let before = inbox
    try inbox.performBatchUpdates { $0.modifying.answers.invalidate { $0 == .all } }
    try inbox.performBatchUpdates {
      $0.modifying.answers.receive([], for: .all, after: "a", at: at(9))
    }
    expectTrue(inbox.answers[.all]?.isInvalidated == true && inbox == before)
    expectEqual(inbox.answers[.all]?.isFresh(within: .seconds(60), at: at(10)), false)
    expectTrue(inbox.answers.ids(for: .all) == [1] && before.answers[.all]?.isInvalidated == false)
    try inbox.performBatchUpdates { $0.modifying.answers.receive([1], for: .all, at: at(11)) }
    expectEqual(inbox.answers[.all]?.isFresh(within: .seconds(60), at: at(11)), true)
    try inbox.performBatchUpdates { context in
      let (first, second) = (
        context.modifying.answers.remove(.all), context.modifying.answers.remove(.all)
      )
      expectTrue(first && !second)
    }
    expectTrue(inbox.answers.isEmpty && inbox.notes.count == 9 && inbox.verify() == [])
  }

  @Test("Merged answers: the later one wins, and none has a missing entity")
  func merging() throws {
    let base = try received((nil, [1, 2], nil))
    var mine = base
    try mine.performBatchUpdates { context in
      context.modifying.answers.receive([2, 3], for: .all, at: at(30))
      context.modifying.notes.remove(4)
    }
    var theirs = base
    try theirs.performBatchUpdates { context in
      context.modifying.answers.receive([5], for: .all, at: at(20))
      context.modifying.answers.receive([4, 5], for: .by("w"), at: at(20))
    }
    for merged in [try mine.merging(theirs, base: base), try theirs.merging(mine, base: base)] {
      expectEqual(merged.storage.answers.ids(for: .all), [2, 3])
      expectTrue(merged.storage.answers.ids(for: .by("w")) == [5] && merged.storage.verify() == [])
    }
    let reverted = try theirs.merging(base, base: theirs).storage
    expectTrue(reverted.answers.ids(for: .all) == [1, 2] && reverted.answers[.by("w")] == nil)
    expectEqual(reverted.verify(), [])
  }

  @Test("Answers are encoded with the database")
  func coding() throws {
    let inbox = try received((nil, [2, 1], "a"), ("a", [3], nil))
    let decoded = try JSONDecoder().decode(Inbox.self, from: JSONEncoder().encode(inbox))
    expectTrue(decoded.answers[.all] == inbox.answers[.all] && decoded.verify() == [])
  }

  @Test("Answers that cannot be decoded are left out")
  func changedRequests() throws {
    func decode<Old: Hashable & Codable & Sendable, New: Hashable & Codable & Sendable>(
      _ requests: [Old], as type: New.Type
    ) throws -> [New] {
      var answers = Indexes.Responses<Old, Note>()
      var ids = Indexes.OrderedID<Note>()
      for id in [Note.EntityID(1), 2] { ids.insert(id) }
      for request in requests {
        let page = ResponsePage(after: nil, next: nil, receivedAt: at(10), ids: ids)
        let isAdded = answers.receive(page, for: request)
        expectTrue(isAdded)
      }
      let decoded = try JSONDecoder().decode(
        Indexes.Responses<New, Note>.self, from: JSONEncoder().encode(answers))
      for request in decoded.requests() { expectEqual(decoded.ids(for: request), [1, 2]) }
      return decoded.requests()
    }
    try expectEqual(decode(["a", "b"], as: String.self), ["a", "b"])
    try expectEqual(decode(["a", "b"], as: Int.self), [])
    try expectEqual(decode(["a", "b"], as: [String].self), [])
    try expectEqual(decode([["a"], ["b", "c"]], as: String.self), [])
    try expectEqual(decode([["x": 1], ["y": 2]], as: [Int].self), [])
    try expectEqual(decode(["b", "all"], as: Choice.self), [.all])
    for text in ["{}", "[\"a\"]", "1"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Indexes.Responses<String, Note>.self, from: Data(text.utf8))
      }
    }
  }

  private enum Choice: String, Codable { case all }

  @Test("The message for an answer without its index")
  func message() {
    #expect(
      AnswerSearch<Inbox.Contents, String, Note>.found.message == """
        Inbox has no Indexes.Responses<String, Note>; add an index, as in '@Index var answers: \
        Indexes.Responses<String, Note> = .init()'
        """)
  }
}
