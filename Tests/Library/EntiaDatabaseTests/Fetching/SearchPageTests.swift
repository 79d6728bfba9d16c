import EntiaLaws
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
    for seed in LawRuns(count: 6).seeds {
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
            #expect(finding.score(of: row) == match.score, "\(place)")
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
          #expect(paged == all, "\(place)")
          comparisons += paged.count
        }
      }
    }
    #expect(comparisons > 500)
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
      #expect(try paged(archive, matching("al", limit: 1)) == [0, 1, 2])
    }
  }

}
