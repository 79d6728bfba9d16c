import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaDatabase

@Suite("Text indexes")
struct TextIndexTests {
  @Test("Law 45: a search finds what a naive model finds, in the same order, in every version")
  func againstModel() throws {
    var comparisons = 0
    for seed in LawRuns(count: 4).seeds {
      var random = SeededGenerator(seed: seed)
      var archive = try Archive([])
      var versions: [(Archive, String, [TextMatch<Memo>])] = []
      for step in 0..<30 {
        let before = archive
        try edit(&archive, &random)
        if random.oneIn(6) { try archive.apply(archive.changes(since: before).inverted) }
        expectTrue(archive.verify().isEmpty, "seed \(seed), step \(step)")
        let model = TextModel(archive.notes)
        for _ in 0..<6 {
          let query = RandomText.query(&random)
          let found = archive.noteText.search(query)
          let wanted = model.search(query)
          expectEqual(found.map(\.id.raw), wanted.map(\.id), "seed \(seed), step \(step): \(query)")
          for (match, row) in zip(found, wanted) { #expect(abs(match.score - row.score) < 1e-9) }
          let limit = random.number(in: 0..<5)
          expectEqual(archive.noteText.search(query, limit: limit), Array(found.prefix(limit)))
          for match in found {
            let row = try #require(archive.notes.find(by: match.id))
            let score = TextFinding(query, in: archive.noteText).score(of: row)
            #expect(abs((score ?? .nan) - match.score) < 1e-9, "\(query)")
          }
          comparisons += found.count
          if random.oneIn(10) { versions.append((archive, query, found)) }
        }
      }
      for (version, query, found) in versions {
        expectEqual(version.noteText.search(query), found, "seed \(seed): \(query)")
      }
    }
    #expect(comparisons > 300)
  }

  @Test("Law 45 with typos: they find more rows, and exclude none")
  func againstModelWithTypos() throws {
    var (tolerated, excluding) = (0, 0)
    for seed in LawRuns(count: 2).seeds {
      var random = SeededGenerator(seed: seed)
      var archive = try Archive([])
      for step in 0..<30 {
        try edit(&archive, &random)
        let model = TextModel(titlesOf: archive.notes)
        for _ in 0..<12 {
          var query = RandomText.query(&random)
          if !query.isEmpty, random.oneIn(2) {
            let place = query.index(
              query.startIndex, offsetBy: random.number(in: 0..<query.count))
            if random.oneIn(2) { query.insert("e", at: place) } else { query.remove(at: place) }
          }
          if random.oneIn(4) { query += random.oneIn(2) ? " -disposessed" : " -lexft" }
          let found = archive.titleText.search(query)
          let wanted = model.search(query)
          expectEqual(found.map(\.id.raw), wanted.map(\.id), "seed \(seed), step \(step): \(query)")
          for (match, row) in zip(found, wanted) { #expect(abs(match.score - row.score) < 1e-9) }
          for match in found {
            let row = try #require(archive.notes.find(by: match.id))
            let score = TextFinding(query, in: archive.titleText).score(of: row)
            #expect(abs((score ?? .nan) - match.score) < 1e-9, "\(query)")
          }
          let exact = TextFinding(query, in: archive.noteText)
          tolerated +=
            found.filter { match in
              archive.notes.find(by: match.id).map { exact.score(of: $0) == nil } == true
            }.count
          if query.contains("-") { excluding += found.count }
        }
      }
    }
    expectTrue(tolerated > 10 && excluding > 100)
  }

  @Test("A word is excluded as it is, not with typos")
  func excludedTypos() throws {
    let archive = try Archive(titles: ["ward", "dog", "card game", "dispossessed"])
    func found(_ query: String) -> [Int] { archive.titleText.search(query).map(\.id.raw) }
    expectEqual(found("carb"), [3])
    expectEqual(found("-carb"), [1, 2, 3, 4])
    expectEqual(found("-title:carb"), [1, 2, 3, 4])
    expectEqual(found("-card"), [1, 2, 4])
    expectEqual(found("-disposessed"), [1, 2, 3, 4])
    expectEqual(found("gane -wart"), [3])
    let reported = try Archive(titles: ["ward", "dog"])
    expectEqual(reported.titleText.search("-card").map(\.id.raw), [1, 2])
    expectEqual(reported.titleText.search("card").map(\.id.raw), [1])
  }

  private func edit(_ archive: inout Archive, _ random: inout SeededGenerator) throws {
    try archive.performBatchUpdates { context in
      for _ in 0..<random.number(in: 1..<4) {
        let id = random.number(in: 0..<16)
        switch random.number(in: 0..<6) {
        case 0..<3:
          context.modifying.notes.insert(
            Memo(
              id: id, title: RandomText.text(&random, upTo: 5),
              summary: random.oneIn(3) ? nil : RandomText.text(&random, upTo: 12)))
        case 3:
          let title = RandomText.text(&random, upTo: 5)
          context.modifying.notes.updateIfExists(id: .init(id)) { $0.title = title }
        case 4: context.modifying.notes.updateIfExists(id: .init(id)) { $0.stars += 1 }
        default: context.modifying.notes.remove(.init(id))
        }
      }
    }
  }

  @Test("Many rows: lists of postings are divided, and rows in the middle change")
  func manyRows() throws {
    var random = SeededGenerator(seed: 3)
    var archive = try Archive([])
    try archive.performBatchUpdates { context in
      for id in 0..<600 {
        context.modifying.notes.insert(
          Memo(id: id, title: "common w\(random.number(in: 0..<60)) \(id % 7)"))
      }
    }
    expectEqual(archive.found("common").count, 600)
    let before = archive
    try archive.performBatchUpdates { context in
      for _ in 0..<400 {
        let id = random.number(in: 0..<600)
        let number = random.number(in: 0..<60)
        if random.oneIn(3) {
          context.modifying.notes.remove(.init(id))
        } else {
          context.modifying.notes.insert(Memo(id: id, title: "common common w\(number) x"))
        }
      }
    }
    expectTrue(archive.verify().isEmpty)
    expectEqual(before.found("common").count, 600)
    let model = TextModel(archive.notes)
    for query in [
      "common", "w12", "w1 x", "\"common w12\"", "common -x", "w25 common", "0", "w", "title:w",
      "summary:w", "w x", "w -w1",
    ] {
      expectEqual(archive.found(query), model.search(query).map(\.id), "\(query)")
    }
    var rebuilt = archive.noteText
    rebuilt.rebuild { visit in for note in archive.notes { visit(note) } }
    expectEqual(rebuilt.search("w1 x").map(\.id), archive.noteText.search("w1 x").map(\.id))
    try archive.performBatchUpdates { $0.modifying.notes.removeAll() }
    expectTrue(archive.noteText.count == 0)
    expectTrue(archive.noteText.postings.words.chunks.isEmpty)
  }

  @Test("Rows that come and go: a search does not read the numbers of those that are gone")
  func comingAndGoing() throws {
    var index = Indexes.Text<Memo>(\.title)
    func note(_ id: Int) -> Memo { Memo(id: id, title: "w\(id % 3) common") }
    for id in 0..<3_000 {
      index.rowChanged(from: nil, to: note(id))
      if id >= 10 { index.rowChanged(from: note(id - 10), to: nil) }
    }
    expectEqual(index.count, 10)
    expectEqual(index.postings.documentEnd, 3_000)
    let model = TextModel((2_990..<3_000).map(note))
    for query in ["w", "c", "w1", "w c", "\"w2 common\"", "-w1"] {
      expectEqual(index.search(query).map(\.id.raw), model.search(query).map(\.id), "\(query)")
    }
    expectTrue(!index.postings.addsUp(10) && index.postings.addsUp(1_000))
  }

  @Test("A row whose texts did not change is not divided into words again")
  func unchangedTexts() throws {
    let counter = CountingWords()
    var index = Indexes.Text<Memo>(\.title, \.summary, tokenizer: counter)
    let note = Memo(id: 1, title: "one", summary: "two")
    index.rowChanged(from: nil, to: note)
    expectEqual(counter.count, 2)
    var changed = note
    changed.stars = 5
    let version = index.postings.words
    index.rowChanged(from: note, to: changed)
    expectEqual(counter.count, 2)
    expectTrue(index.postings.words.isIdentical(to: version))
    changed.summary = nil
    index.rowChanged(from: note, to: changed)
    expectTrue(index.search("two").isEmpty)
    expectEqual(index.search("one").count, 1)
  }

  @Test("A commit of a row whose texts did not change leaves the index as it is")
  func unchangedCommit() throws {
    let counter = CountingWords()
    var contents = Archive.Contents()
    contents.noteText = .init(\.title, \.summary, tokenizer: counter)
    var archive = Archive()
    archive.snapshot = Snapshot(contents)
    try archive.performBatchUpdates { context in
      context.modifying.drawers.insert(MemoBox(id: 0))
      context.modifying.notes.insert((1...20).map { Memo(id: $0, title: "n\($0)", summary: "s") })
    }
    let before = archive
    let count = counter.count
    try archive.performBatchUpdates { context in
      context.modifying.notes.updateIfExists(id: 5) { $0.stars = 3 }
      context.modifying.notes.insert(Memo(id: 6, title: "n6", summary: "s", stars: 4))
    }
    expectEqual(counter.count, count)
    expectTrue(archive.noteText.isIdentical(to: before.noteText))
    expectEqual(archive.notes.find(by: 6)?.stars, 4)
  }

  @Test("Ranks: rarer terms, shorter rows and weights count; ties are in insertion order")
  func ranks() throws {
    var archive = try Archive([
      Memo(id: 9, title: "war", summary: "peace and much more about this and that"),
      Memo(id: 1, title: "peace", summary: "war and much more about this and that"),
      Memo(id: 2, title: "words", summary: nil), Memo(id: 3, title: "words", summary: nil),
      Memo(id: 0, title: "words", summary: nil),
    ])
    expectEqual(archive.found("peace"), [1, 9])
    expectEqual(archive.found("war"), [9, 1])
    expectEqual(archive.found("words"), [2, 3, 0])
    expectEqual(archive.found("words", limit: 2), [2, 3])
    try archive.performBatchUpdates { context in
      context.modifying.notes.updateIfExists(id: 3) { $0.stars = 1 }
      context.modifying.notes.remove(2)
      context.modifying.notes.insert(Memo(id: 2, title: "words"))
    }
    expectEqual(archive.found("words"), [3, 0, 2])
    expectEqual(archive.found("-words"), [9, 1])
    expectEqual(archive.found(""), [])
    expectEqual(archive.found("nothing"), [])
    expectEqual(archive.found("war -nothing title:war"), [9])
  }

  @Test("The ranges of a match are the whole matched words")
  func matchedRanges() throws {
    let note = Memo(
      id: 1, title: "The Dispossessed, dispatch “naïve”", summary: "東京都の don't l'été")
    let archive = try Archive([note])
    func marked(_ query: String) throws -> [String] {
      let match = try #require(archive.noteText.search(query).first)
      let summary = note.summary ?? ""
      return match.ranges(of: \.title, in: note).map { String(note.title[$0]) }
        + match.ranges(of: \.summary, in: note).map { String(summary[$0]) }
    }
    try expectEqual(marked("disp"), ["Dispossessed", "dispatch"])
    try expectEqual(marked("\"the dispossessed\""), ["The", "Dispossessed"])
    try expectEqual(marked("NAIVE dont ete"), ["naïve", "don't", "été"])
    try expectEqual(marked("東京都"), ["東京都"])
    try expectEqual(marked("title:disp -war"), ["Dispossessed", "dispatch"])
    let match = try #require(archive.noteText.search("disp").first)
    expectEqual(match.ranges(of: \.stars, in: note), [])
  }

  @Test("Typos are tolerated in words that no row has")
  func typos() throws {
    let archive = try Archive(titles: [
      "The Dispossessed", "Dispatches", "Guide", "Guile", "abc", "Ursula",
    ])
    func found(_ query: String) -> [Int] { archive.titleText.search(query).map(\.id.raw) }
    expectEqual(found("dispossesed"), [1])
    expectEqual(found("dsipossesed"), [1])
    expectEqual(found("despatch"), [2])
    expectEqual(found("guire"), [3, 4])
    expectEqual(found("giude"), [3])
    expectEqual(found("guide"), [3])
    expectEqual(found("abd"), [])
    expectEqual(found("ursla"), [6])
    expectEqual(found("usrla"), [])
    expectEqual(found("\"guire\""), [])
    expectEqual(archive.found("guire"), [])
    let match = try #require(archive.titleText.search("dispossesed").first)
    let row = try #require(archive.notes.find(by: 1))
    expectEqual(match.ranges(of: \.title, in: row).map { String(row.title[$0]) }, ["Dispossessed"])
  }

  @Test("verify() reports a row whose words are wrong")
  func mismatches() throws {
    var archive = try Archive(titles: ["one two", "three"])
    let wrong = Memo(id: 1, title: "one two")
    archive.snapshot = try Archive([wrong, Memo(id: 2, title: "three")]).snapshot
    var index = archive.noteText
    index.rowChanged(from: wrong, to: Memo(id: 1, title: "one"))
    let found = index.mismatches(from: archive.noteText)
    expectEqual(Set(found.map(\.key)), ["one", "two"])
    expectEqual(Set(found.map(\.entity)), [EntityLabel(Memo.EntityID(1))])
    expectTrue(archive.noteText.mismatches(from: archive.noteText).isEmpty)
  }
}

/// Counts the texts that it divides into words.
final class CountingWords: TextTokenizer, @unchecked Sendable {
  // Unchecked: a test uses it on one thread.
  private(set) var count = 0

  func visitWords(in text: String, _ visit: (TextWord) -> Void) {
    count += 1
    UnicodeWords().visitWords(in: text, visit)
  }
}
