import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

/// A model of the pages of an answer: of each cursor, the time and the IDs.
private struct PageModel: Equatable {
  var time: Date?
  var ids: [Int] = []

  /// Returns the pages of the answer to a request by their numbers. The cursor of a page is its
  /// number.
  static func pages(of inbox: Inbox, _ request: NoteRequest) -> [PageModel] {
    (0..<3).map { number in
      let page = inbox.answers[request]?.pages.first { $0.after == cursor(of: number) }
      return PageModel(time: page?.receivedAt, ids: page?.ids.ids().map(\.raw) ?? [])
    }
  }

  static func cursor(of number: Int) -> String? { number == 0 ? nil : "\(number)" }

  /// Returns the IDs of a merge that are in the page: those of the later reception, or, of one
  /// reception, those that no side removed.
  static func merged(_ mine: PageModel, _ theirs: PageModel, base: PageModel) -> PageModel {
    let received = [mine, theirs].compactMap(\.time).filter { $0 != base.time }
    let isKept = mine.time == base.time && theirs.time == base.time
    guard let time = received.max() ?? (isKept ? base.time : nil) else { return PageModel() }
    let versions = [mine, theirs].filter { $0.time == time }
    guard versions.count == 2 else { return versions.first ?? PageModel() }
    let old = base.time == time ? Set(base.ids) : []
    let (first, second) = (Set(mine.ids), Set(theirs.ids))
    let ids = first.intersection(second).union(first.symmetricDifference(second).subtracting(old))
    return PageModel(time: time, ids: ids.sorted())
  }
}

extension Inbox {
  /// Removes rows, receives pages, or invalidates an answer.
  fileprivate mutating func editAnswers(
    at time: inout Double, using random: inout SeededGenerator
  ) throws {
    for _ in 0..<random.number(in: 1..<5) {
      let request = random.oneIn(3) ? NoteRequest.by("w") : .all
      time += 1
      let received = at(time)
      if random.oneIn(4) {
        let kept = CollectionRoot.entity(Note.EntityID(random.number(in: 1..<13)))
        let plan = plan(
          evictingDownTo: .rows(max(0, notes.count - 2), of: Note.self), keeping: [kept])
        try performBatchUpdates { try $0.remove(plan) }
        continue
      }
      try performBatchUpdates { context in
        switch random.number(in: 0..<6) {
        case 0, 1: context.modifying.notes.remove(.init(random.number(in: 1..<13)))
        case 2:
          if random.oneIn(3) { context.modifying.answers.remove(request) }
          context.modifying.answers.invalidate { $0 == request }
        default:
          let page = random.number(in: 0..<3)
          let ids = (0..<5).map { _ in Note.EntityID(random.number(in: 1..<13)) }
          context.modifying.answers.receive(
            ids.sorted(), for: request, after: PageModel.cursor(of: page), next: "\(page + 1)",
            at: received)
        }
      }
    }
  }
}

@Suite("Merged answers")
struct AnswerMergeTests {
  private func inbox(_ pages: (String?, [Note.EntityID], String?, Double)...) throws -> Inbox {
    var inbox = try Inbox.sample(1...9)
    try inbox.receive(pages)
    return inbox
  }

  @Test("A page that one side received is added to what the other removed, in both directions")
  func appended() throws {
    let base = try inbox((nil, [1, 2], "a", 1))
    var removed = base
    try removed.performBatchUpdates { $0.modifying.notes.remove(1) }
    var appended = base
    try appended.receive([("a", [3, 4], "b", 9)])
    for merged in [
      try removed.merging(appended, base: base), try appended.merging(removed, base: base),
    ] {
      expectEqual(merged.storage.answers.ids(for: .all), [2, 3, 4])
      expectEqual(merged.storage.answers[.all]?.cursor, "b")
      expectTrue(merged.storage.answers[.all]?.receivedAt == at(1) && merged.storage.verify() == [])
    }
    // The removal is reverted after the page has come.
    var current = removed
    try current.receive([("a", [3, 4], "b", 9)])
    let reverted = try current.merging(base, base: removed).storage
    expectTrue(reverted.answers.ids(for: .all) == [1, 2, 3, 4] && reverted.verify() == [])
    expectEqual(reverted.answers[.all]?.cursor, "b")
  }

  @Test("A restored row returns to its place, unless its page was received again")
  func restored() throws {
    let base = try inbox((nil, [3, 1, 2], "a", 1), ("a", [4, 6, 5], "b", 2))
    var removed = base
    try removed.performBatchUpdates { $0.modifying.notes.remove([1, 6]) }
    var current = removed
    try current.receive([(nil, [2, 3], "a", 8)])
    let reverted = try current.merging(base, base: removed).storage
    expectTrue(reverted.answers.ids(for: .all) == [2, 3, 4, 6, 5] && reverted.verify() == [])
  }

  @Test("An invalidation, an eviction or a reception is kept beside a removal that is reverted")
  func invalidated() throws {
    let base = try inbox((nil, [1, 2, 3], nil, 1))
    var removed = base
    try removed.performBatchUpdates { $0.modifying.notes.remove(1) }
    var invalidated = removed
    try invalidated.performBatchUpdates { $0.modifying.answers.invalidate { _ in true } }
    let first = try invalidated.merging(base, base: removed).storage
    expectEqual(first.answers.ids(for: .all), [1, 2, 3])
    expectEqual(first.answers[.all]?.isInvalidated, true)
    let plan = removed.plan(
      evictingDownTo: .rows(7, of: Note.self), keeping: [.entity(Note.EntityID(3))])
    var evicted = removed
    try evicted.performBatchUpdates { try $0.remove(plan) }
    expectEqual(evicted.answers.ids(for: .all), [3])
    let second = try evicted.merging(base, base: removed).storage
    expectTrue(second.answers.ids(for: .all) == [1, 3] && second.verify() == [])
    expectEqual(second.answers[.all]?.isInvalidated, true)
  }

  @Test("An answer is invalidated if it was so on the side whose first page the merge kept")
  func keptInvalidation() throws {
    var base = try inbox((nil, [1, 2, 3], nil, 1))
    try base.performBatchUpdates { $0.modifying.answers.invalidate { _ in true } }
    var (mine, theirs) = (base, base)
    try theirs.receive([(nil, [1], nil, 10)])
    try mine.receive([(nil, [3], nil, 30)])
    // An undo of the reception at 10, beside one that was not recorded.
    let undone = try mine.merging(base, base: theirs).storage
    expectEqual(undone.answers[.all]?.isInvalidated, false)
    expectEqual(undone.answers.ids(for: .all), [3])
    try mine.performBatchUpdates { $0.modifying.answers.invalidate { _ in true } }
    for merged in [try mine.merging(theirs, base: base), try theirs.merging(mine, base: base)] {
      expectEqual(merged.storage.answers.ids(for: .all), [3])
      expectEqual(merged.storage.answers[.all]?.isInvalidated, true)
    }
  }

  @Test("An invalidation is kept beside a reception that is undone or redone")
  func invalidationBesideReception() throws {
    let base = try inbox((nil, [1, 2], nil, 1))
    var received = base
    try received.receive([(nil, [3], nil, 10)])
    for (first, second) in [(base, received), (received, base)] {
      var current = first
      try current.performBatchUpdates { $0.modifying.answers.invalidate { _ in true } }
      let merged = try current.merging(second, base: first).storage
      expectEqual(merged.answers.ids(for: .all), second.answers.ids(for: .all))
      expectEqual(merged.answers[.all]?.isInvalidated, true)
    }
  }

  @Test("A merged answer that lacks an evicted row is invalidated, also after an undo")
  func evictedRow() throws {
    for isInvalidated in [false, true] {
      var base = try inbox((nil, [1, 2], nil, 1))
      if isInvalidated {
        try base.performBatchUpdates { $0.modifying.answers.invalidate { _ in true } }
      }
      var received = base
      try received.receive([(nil, [1, 2, 3], nil, 10)])
      var current = base
      let plan = current.plan(
        evictingDownTo: .rows(8, of: Note.self),
        keeping: (2...9).map { .entity(Note.EntityID($0)) })
      try current.performBatchUpdates { try $0.remove(plan) }
      var redo = ThreeWayMerge<Inbox>(otherwise: .mine)
      redo.isUndo = true
      for merged in [
        try current.merging(received, base: base, by: redo),
        try current.merging(received, base: base), try received.merging(current, base: base),
      ] {
        expectEqual(merged.storage.answers.ids(for: .all), [2, 3])
        expectEqual(merged.storage.answers[.all]?.isInvalidated, true)
      }
    }
  }

  @Test("Pages to which no other leads any more are removed, and a removed answer stays removed")
  func unreachable() throws {
    let base = try inbox((nil, [1], "a", 1), ("a", [2], "b", 2), ("b", [3], nil, 3))
    var moved = base
    try moved.receive([(nil, [4], "x", 8)])
    var later = base
    try later.receive([("b", [5], nil, 9)])
    for merged in [try moved.merging(later, base: base), try later.merging(moved, base: base)] {
      expectTrue(merged.storage.answers.ids(for: .all) == [4] && merged.storage.verify() == [])
      expectEqual(merged.storage.answers.requests(containing: 5), [])
    }
    var removed = base
    try removed.performBatchUpdates { _ = $0.modifying.answers.remove(.all) }
    var edited = base
    try edited.performBatchUpdates { $0.modifying.notes.remove(2) }
    for merged in [
      try removed.merging(edited, base: base), try edited.merging(removed, base: base),
      try removed.merging(later, base: base),
    ] {
      expectTrue(merged.storage.answers[.all] == nil && merged.storage.verify() == [])
    }
    var received = base
    try received.receive([(nil, [6], "a", 9)])
    try expectEqual(removed.merging(received, base: base).storage.answers.ids(for: .all), [6])
    try expectEqual(received.merging(removed, base: base).storage.answers.ids(for: .all), [6])
  }

  @Test(
    "Law 47: merged answers are those of a model by page and ID, also of a reverted version",
    arguments: LawRuns(count: 50).seeds)
  func model(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var time = 0.0
    var base = try Inbox.sample(1...12)
    try base.editAnswers(at: &time, using: &random)
    try base.editAnswers(at: &time, using: &random)
    var mine = base
    try mine.editAnswers(at: &time, using: &random)
    var theirs = base
    try theirs.editAnswers(at: &time, using: &random)
    var current = theirs
    try current.editAnswers(at: &time, using: &random)
    try expectModel(mine, theirs, base: base)
    try expectModel(theirs, mine, base: base)
    // As undo does.
    try expectModel(current, base, base: theirs)
  }

  /// Returns whether a merged answer is invalidated: as on the sides that received its first page,
  /// or as on the only side that changed it since the base received the page, or because a side has
  /// invalidated the page of the base, or because the answer of one side lost rows and the other
  /// side, which may have evicted them, has invalidated it.
  private static func isInvalidated(
    _ request: NoteRequest, at time: Date?, _ mine: Inbox, _ theirs: Inbox, _ base: Inbox,
    in merged: Inbox
  ) -> Bool {
    for (one, other) in [(mine, theirs), (theirs, mine)]
    where theirs.answers[request] != base.answers[request]
      && other.answers[request]?.isInvalidated == true
      && one.answers.ids(for: request).contains(where: { merged.notes.find(by: $0) == nil })
    { return true }
    func flag(_ inbox: Inbox, at time: Date?) -> Bool? {
      let answer = inbox.answers[request]
      return answer?.pages.first?.receivedAt == time ? answer?.isInvalidated : nil
    }
    let old = base.answers[request]?.pages.first?.receivedAt
    let isOld = base.answers[request]?.isInvalidated == false
    if isOld, [mine, theirs].contains(where: { flag($0, at: old) == true }) { return true }
    let (first, second) = (flag(mine, at: time), flag(theirs, at: time))
    guard let first, let second else { return first ?? second ?? false }
    guard let base = flag(base, at: time) else { return first || second }
    return first == base ? second : first
  }

  private func expectModel(_ mine: Inbox, _ theirs: Inbox, base: Inbox) throws {
    let merged = try mine.merging(theirs, base: base).storage
    expectEqual(merged.verify(), [])
    for request in [NoteRequest.all, .by("w")] {
      var expected: [PageModel] = []
      let versions = (
        PageModel.pages(of: mine, request), PageModel.pages(of: theirs, request),
        PageModel.pages(of: base, request)
      )
      for number in 0..<3 {
        var page = PageModel.merged(
          versions.0[number], versions.1[number], base: versions.2[number])
        if number > 0, expected[number - 1].time == nil { page = PageModel() }
        let earlier = Set(expected.flatMap(\.ids))
        page.ids.removeAll {
          earlier.contains($0) || merged.notes.find(by: .init($0)) == nil
        }
        expected.append(page)
      }
      expectEqual(PageModel.pages(of: merged, request), expected)
      if expected[0].time == nil { continue }
      expectEqual(
        merged.answers[request]?.isInvalidated,
        Self.isInvalidated(request, at: expected[0].time, mine, theirs, base, in: merged))
    }
  }
}

extension Inbox {
  fileprivate mutating func receive(
    _ pages: [(String?, [Note.EntityID], String?, Double)]
  ) throws {
    try performBatchUpdates { context in
      for page in pages {
        context.modifying.answers.receive(
          page.1, for: .all, after: page.0, next: page.2, at: at(page.3))
      }
    }
  }
}
