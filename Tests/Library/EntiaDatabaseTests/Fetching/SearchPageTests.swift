import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Pages of searches")
struct SearchPageTests {
  /// Weights whose sums depend on their order, and others.
  private static let weights: [[Double]] = [[], [0.1, 0.7], [0.7, 0.1], [1 / 3.0], [0, 0.3]]

  private func archive(
    _ weights: [Double], toleratesTypos: Bool = false, _ notes: [Memo] = []
  ) throws -> Archive {
    var contents = Archive.Contents()
    contents.noteText = .init(
      \.title, \.summary, weights: weights, toleratesTypos: toleratesTypos)
    var archive = Archive()
    archive.snapshot = Snapshot(contents)
    try archive.performBatchUpdates { context in
      context.modifying.drawers.insert(MemoBox(id: 0))
      context.modifying.notes.insert(notes)
    }
    return archive
  }

  private func matching(
    _ text: String, _ predicate: Predicate<Memo>? = nil, limit: Int? = nil
  ) -> FetchDescriptor<Memo> {
    FetchDescriptor(
      matching: text, in: \Archive.noteText, predicate: predicate, fetchLimit: limit)
  }

  /// Few words, which begin alike, so that prefixes have many words and scores are often equal.
  private func text(_ random: inout SeededGenerator) -> String {
    let words = ["alpha", "alp", "alps", "al", "beta", "bet", "gamma"]
    return (0..<random.number(in: 0..<8)).map { _ in words[random.number(in: 0..<7)] }
      .joined(separator: " ")
  }

  private func note(_ id: Int, _ random: inout SeededGenerator) -> Memo {
    Memo(
      id: id, title: text(&random), summary: random.oneIn(4) ? nil : text(&random),
      stars: random.number(in: 0..<4))
  }

  private func query(_ random: inout SeededGenerator) -> String {
    let terms = [
      "al", "alp", "alph", "b", "bet", "gamma", "\"alp alpha\"", "\"al beta\"", "-beta", "-gam",
      "-\"bet alp\"", "title:al", "summary:b", "-title:b", "alphx", "gamna", "nothing",
    ]
    return (0..<random.number(in: 1..<4)).map { _ in terms[random.number(in: 0..<terms.count)] }
      .joined(separator: " ")
  }

  private func predicate(_ random: inout SeededGenerator) -> Predicate<Memo>? {
    random.oneIn(3) ? #Predicate { $0.id != 3 } : nil
  }

  @Test(
    "Law 45: pages of a search, one after the other, are the whole result, whatever their size",
    arguments: weights, [false, true])
  func wholeResult(weights: [Double], toleratesTypos: Bool) throws {
    var comparisons = 0
    for seed in LawRuns(count: 3).seeds {
      var random = SeededGenerator(seed: seed)
      var archive = try archive(weights, toleratesTypos: toleratesTypos)
      for step in 0..<12 {
        try archive.performBatchUpdates { context in
          for _ in 0..<4 {
            let id = random.number(in: 0..<16)
            if random.oneIn(4) { context.modifying.notes.remove(.init(id)) }
            context.modifying.notes.insert(note(id, &random))
          }
        }
        for _ in 0..<6 {
          let text = query(&random)
          let place = "seed \(seed), step \(step): \(text)"
          let finding = TextFinding(text, in: archive.noteText)
          for match in archive.noteText.search(text) {
            let row = try #require(archive.notes.find(by: match.id))
            expectEqual(finding.score(of: row), match.score, "\(place)")
          }
          var descriptor = matching(text, predicate(&random))
          let all = archive.fetch(descriptor).map(\.id)
          descriptor.fetchLimit = random.number(in: 1..<4)
          var paged: [Int] = []
          var cursor: FetchCursor<Memo>?
          repeat {
            let page = archive.fetchPage(descriptor, after: cursor)
            paged += page.entities.map(\.id)
            cursor = page.next
          } while cursor != nil && paged.count <= all.count
          expectEqual(paged, all, "\(place)")
          comparisons += paged.count
        }
      }
    }
    #expect(comparisons > 500)
  }

  @Test(
    "Law 45: rows that no edit touches are on one page each, in order, whatever happens in between",
    arguments: weights, [false, true])
  func edits(weights: [Double], toleratesTypos: Bool) throws {
    var comparisons = 0
    for seed in LawRuns(count: 12).seeds {
      var random = SeededGenerator(seed: seed)
      var archive = try archive(
        weights, toleratesTypos: toleratesTypos, (0..<24).map { note($0, &random) })
      let text = query(&random)
      var descriptor = matching(text, predicate(&random))
      let all = archive.fetch(descriptor).map(\.id)
      // A typo is tolerated only while no row has the word.
      var matched = Set(all)
      descriptor.fetchLimit = random.number(in: 1..<5)
      var (paged, touched): ([Int], Set<Int>) = ([], [])
      var cursor: FetchCursor<Memo>?
      // Rows that are inserted again come once more, so that the pages end only after the edits.
      for number in 0..<400 {
        let page = archive.fetchPage(descriptor, after: cursor)
        paged += page.entities.map(\.id)
        cursor = page.next
        if cursor == nil { break }
        for _ in 0..<(number < 30 ? random.number(in: 0..<3) : 0) {
          let last = page.entities.last?.id ?? 0
          touched.insert(try edit(&archive, last, &random))
        }
        matched.formIntersection(archive.noteText.search(text).map(\.id.raw))
      }
      expectNil(cursor, "seed \(seed): \(text)")
      func isKept(_ id: Int) -> Bool { !touched.contains(id) && matched.contains(id) }
      expectEqual(paged.filter(isKept), all.filter(isKept), "seed \(seed): \(text)")
      comparisons += paged.filter(isKept).count
    }
    #expect(comparisons > 40)
  }

  /// Edits a row, often the last one of a page, and returns its ID.
  private func edit(
    _ archive: inout Archive, _ last: Int, _ random: inout SeededGenerator
  ) throws -> Int {
    let id = random.oneIn(2) ? last : random.number(in: 0..<40)
    let old = archive.notes.find(by: .init(id))
    try archive.performBatchUpdates { context in
      switch random.number(in: 0..<5) {
      case 0: context.modifying.notes.insert(note(id, &random))
      case 1:
        // Many rows change the statistics.
        let title = random.oneIn(2) ? "alpha" : "beta beta gamma alp"
        context.modifying.notes.insert(
          (100..<130).map { Memo(id: $0, title: title, summary: title) })
      case 2 where old != nil:
        context.modifying.notes.remove(.init(id))
        if let old { context.modifying.notes.insert(old) }
      default: context.modifying.notes.remove(.init(id))
      }
    }
    return id
  }

  /// Returns the IDs of all pages. The edit happens after the first one.
  private func paged(
    _ archive: Archive, _ descriptor: FetchDescriptor<Memo>,
    _ edit: (inout Archive) throws -> Void = { _ in }
  ) throws -> [Int] {
    var archive = archive
    var page = archive.fetchPage(descriptor)
    var found = page.entities.map(\.id)
    try edit(&archive)
    while let next = page.next, found.count < 50 {
      page = archive.fetchPage(descriptor, after: next)
      found += page.entities.map(\.id)
    }
    return found
  }

  @Test("Fractional weights: the sum of a score does not depend on who adds it up")
  func fractions() throws {
    for (title, summary) in [("alpha alpha alp", "alp alp alp"), ("alpha", "alp alp alp")] {
      let notes = (0..<3).map { Memo(id: $0, title: title, summary: summary) }
      let archive = try archive([0.1, 0.7], notes)
      try expectEqual(paged(archive, matching("al", limit: 1)), [0, 1, 2])
    }
  }

  @Test("Rows with the score of a removed row stay on the next pages")
  func removedCursor() throws {
    let archive = try archive([], (1...6).map { Memo(id: $0, title: "alpha") })
    for text in ["alpha", "-beta"] {
      let descriptor = matching(text, limit: 2)
      let removed = try paged(archive, descriptor) { archive in
        try archive.performBatchUpdates { $0.modifying.notes.remove(2) }
      }
      expectEqual(removed, [1, 2, 3, 4, 5, 6])
      let again = try paged(archive, descriptor) { archive in
        try archive.performBatchUpdates { $0.modifying.notes.remove(2) }
        try archive.performBatchUpdates {
          $0.modifying.notes.insert(Memo(id: 2, title: "alpha"))
        }
      }
      expectEqual(again, [1, 2, 3, 4, 5, 6, 2])
      var start = archive
      try start.performBatchUpdates { $0.modifying.notes.remove(1) }
      let rebuilt = try paged(start, descriptor) { $0.snapshot = Snapshot($0.snapshot.contents) }
      expectEqual(rebuilt, [2, 3, 4, 5, 6])
      // A cursor of a row that is no more, and of no page: rows are repeated, not skipped.
      let cursor = FetchCursor(after: Memo(id: 9, title: "alpha"))
      expectEqual(archive.fetchPage(descriptor, after: cursor).entities.map(\.id), [1, 2])
      let known = FetchCursor(after: Memo(id: 4, title: "alpha"))
      expectEqual(archive.fetchPage(descriptor, after: known).entities.map(\.id), [5, 6])
    }
  }

  @Test("All pages are ranked by the statistics of the first")
  func statistics() throws {
    let archive = try archive(
      [],
      [
        Memo(id: 1, title: "alpha alpha alpha beta"), Memo(id: 2, title: "alpha beta beta beta"),
        Memo(id: 3, title: "beta"), Memo(id: 4, title: "beta"),
      ])
    let descriptor = matching("alpha beta", limit: 1)
    let first = archive.fetch(matching("alpha beta")).map(\.id)
    var later = archive
    try later.performBatchUpdates { context in
      context.modifying.notes.insert((10..<40).map { Memo(id: $0, title: "alpha") })
    }
    // Otherwise the statistics change nothing.
    expectEqual(later.fetch(matching("alpha beta")).map(\.id), first.reversed())
    try expectEqual(paged(archive, descriptor) { $0 = later }, first)
  }

  @Test("A cursor of another query is the place of its row")
  func otherQuery() throws {
    let archive = try archive(
      [], [Memo(id: 1, title: "alpha beta"), Memo(id: 2, title: "alpha"), Memo(id: 3, title: "b")])
    let cursor = archive.fetchPage(matching("alpha", limit: 1)).next
    expectEqual(cursor?.entity.id, 2)
    expectEqual(archive.fetchPage(matching("b"), after: cursor).entities.map(\.id), [3, 1])
    let beta = archive.fetchPage(matching("b", limit: 1)).next
    expectEqual(beta?.entity.id, 3)
    expectEqual(archive.fetchPage(matching("bet"), after: beta).entities.map(\.id), [1])
    expectEqual(archive.fetchPage(matching("-alpha", limit: 1)).entities.map(\.id), [3])
    expectEqual(beta, archive.fetchPage(matching("b", limit: 1)).next)
  }

  @Test(
    "A weight that no score can have is a programmer's error",
    arguments: ["-1.0", "-0.5", "nan", "inf"])
  func wrongWeights(_ weight: String) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [weight] in
      _ = Indexes.Text<Memo>(\.title, \.summary, weights: [1, Double(weight) ?? 1])
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    expectTrue(
      message.contains(
        "the text index of Memo has the weight \(weight): a weight is finite and not negative"))
  }

  @Test("An index without fields, and one with more weights than fields, are programmer's errors")
  func wrongFields() async {
    let empty = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Indexes.Text<Memo>() }
    var message = String(decoding: empty?.standardErrorContent ?? [], as: UTF8.self)
    expectTrue(message.contains("the text index of Memo has no fields: pass their key paths"))
    let many = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Indexes.Text<Memo>(\.title, weights: [1, 2]) }
    message = String(decoding: many?.standardErrorContent ?? [], as: UTF8.self)
    expectTrue(message.contains("the text index of Memo has 2 weights of 1 fields"))
  }

  @Test("A field with weight 0 is found, without a score")
  func zeroWeight() throws {
    let archive = try archive(
      [0], [Memo(id: 1, title: "alpha"), Memo(id: 2, title: "b", summary: "alpha")])
    expectEqual(archive.found("alp"), [2, 1])
    expectEqual(archive.noteText.search("title:alp").map(\.score), [0])
    expectEqual(archive.found("-alp"), [])
  }
}
