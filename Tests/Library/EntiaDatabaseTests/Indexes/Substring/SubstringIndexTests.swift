import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Indexes of parts of strings")
struct SubstringIndexTests {
  @Test("Law 46: a predicate with contains gives the same with and without an index of parts")
  func againstScans() throws {
    var found = 0
    var served = 0
    var resemblingCount = 0
    for seed in LawRuns(count: 3).seeds {
      var random = SeededGenerator(seed: seed)
      var archive = try Archive([])
      var versions: [(Archive, String, [Int])] = []
      for step in 0..<30 {
        let before = archive
        try edit(&archive, &random)
        if random.oneIn(6) { try archive.apply(archive.changes(since: before).inverted) }
        expectTrue(archive.verify().isEmpty, "seed \(seed), step \(step)")
        for _ in 0..<6 {
          let part = part(&random)
          let place = "seed \(seed), step \(step): \(part.debugDescription)"
          let descriptor = FetchDescriptor<Memo>(predicate: #Predicate { $0.title.contains(part) })
          let ids = archive.fetch(descriptor).map(\.id)
          expectEqual(ids, archive.scan(descriptor).map(\.id), "\(place)")
          expectEqual(archive.titleParts.ids(containing: part).map(\.raw), ids, "\(place)")
          for part in [part, ["abc", "ABC", "éab", "Eab", "fia"][random.number(in: 0..<5)]] {
            let localized = FetchDescriptor<Memo>(predicate: LocalizedTitle.predicate(part))
            let resembling = archive.scan(localized).map(\.id)
            expectEqual(archive.fetch(localized).map(\.id), resembling, "\(place)")
            let wanted = WantedPart(text: part, isLocalized: true)
            if let ids = archive.titleParts.foundIDs(containing: wanted) {
              expectTrue(Set(ids.map(\.raw)).isSuperset(of: resembling), "\(place)")
              resemblingCount += resembling.count
            }
          }
          let summaries = archive.notes.filter { note in
            note.summary.map { Self.contains($0, part) } ?? false
          }
          expectEqual(
            archive.summaryParts.ids(containing: part).map(\.raw), summaries.map(\.id), "\(place)")
          for (form, predicate) in Self.optionals(part) {
            let optional = FetchDescriptor<Memo>(predicate: predicate)
            expectEqual(
              archive.fetch(optional).map(\.id), archive.scan(optional).map(\.id),
              "\(place), \(form)")
            if form.hasPrefix("served"), archive.fetch(optional).map(\.id) != summaries.map(\.id) {
              Issue.record("\(place), \(form)")
            }
          }
          found += ids.count
          if !archive.explain(descriptor).indexes.isEmpty { served += 1 }
          if random.oneIn(10) { versions.append((archive, part, ids)) }
        }
      }
      for (version, part, ids) in versions {
        expectEqual(version.titleParts.ids(containing: part).map(\.raw), ids)
      }
    }
    #expect(found > 200)
    #expect(served > 100)
    #expect(resemblingCount > 100)
  }

  /// Predicates on a part of an optional string. An index serves those that no row without the part
  /// satisfies.
  private static func optionals(_ part: String) -> [(String, Predicate<Memo>)] {
    [
      ("served: forced", #Predicate { $0.summary!.contains(part) }),
      ("served: equal", #Predicate { $0.summary?.contains(part) == true }),
      ("served: turned", #Predicate { true == $0.summary?.contains(part) }),
      ("served: coalesced", #Predicate { $0.summary?.contains(part) ?? false }),
      ("served: map", #Predicate { $0.summary.flatMap { $0.contains(part) } == true }),
      (
        "served: if let",
        #Predicate { if let summary = $0.summary { summary.contains(part) } else { false } }
      ),
      (
        "served: if",
        #Predicate { $0.stars >= 0 ? ($0.summary?.contains(part) ?? false) : false }
      ),
      ("unequal", #Predicate { $0.summary?.contains(part) != true }),
      ("not false", #Predicate { $0.summary?.contains(part) != false }),
      ("false", #Predicate { $0.summary?.contains(part) == false }),
      ("missing", #Predicate { $0.summary?.contains(part) == nil }),
      ("or true", #Predicate { $0.summary?.contains(part) ?? true }),
      ("not", #Predicate { !($0.summary?.contains(part) ?? false) }),
      (
        "else",
        #Predicate { if let summary = $0.summary { summary.contains(part) } else { $0.id > 2 } }
      ),
    ]
  }

  @Test("An index of an optional field serves each way to unwrap it")
  func optionalFields() throws {
    let archive = try Archive(
      (0..<40).map { Memo(id: $0, title: "", summary: $0 % 4 == 0 ? nil : "number \($0) of many") })
    for (form, predicate) in Self.optionals("number 7") {
      let explanation = archive.explain(FetchDescriptor(predicate: predicate))
      let isServed = form.hasPrefix("served")
      expectEqual(explanation.indexes, isServed ? ["summaryParts"] : [], "\(form)")
      let found = archive.fetch(FetchDescriptor(predicate: predicate))
      if isServed { expectEqual(found.map(\.id), [7], "\(form)") }
      expectEqual(found, archive.scan(FetchDescriptor(predicate: predicate)), "\(form)")
    }
  }

  /// The comparison of a predicate.
  private static func contains<Text: Collection>(_ text: Text, _ part: Text) -> Bool
  where Text.Element: Equatable { text.contains(part) }

  private func edit(_ archive: inout Archive, _ random: inout SeededGenerator) throws {
    try archive.performBatchUpdates { context in
      for _ in 0..<random.number(in: 1..<4) {
        let id = random.number(in: 0..<12)
        switch random.number(in: 0..<4) {
        case 0..<2:
          context.modifying.notes.insert(
            Memo(
              id: id, title: text(&random), summary: random.oneIn(3) ? nil : text(&random)))
        case 2:
          let title = text(&random)
          context.modifying.notes.updateIfExists(id: .init(id)) { $0.title = title }
        default: context.modifying.notes.remove(.init(id))
        }
      }
    }
  }

  /// Texts of composed and decomposed forms, of several scalars a character, of other cases.
  private func text(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "e\u{301}", "é", "e", "É", "ab", "abc", "ABC", "ﬁ", "fi", "İ", "i", "ß", "SS", "한",
      "하\u{11AB}",
      "が", "か\u{3099}", "👨‍👩‍👧", "👨", "\u{301}", "\u{200D}", "東京", "Σ", "ς", "σ", "½", " ",
      "a\u{323}\u{307}",
      "a\u{307}\u{323}", "\r\n", "\n", "क्षि", "กำ",
    ]
    return (0..<random.number(in: 0..<8)).map { _ in pieces[random.number(in: 0..<pieces.count)] }
      .joined()
  }

  private func part(_ random: inout SeededGenerator) -> String {
    String(text(&random).prefix(random.number(in: 0..<5)))
  }

  @Test("explain: the index finds three letters and more, a scan finds less")
  func explanations() throws {
    let archive = try Archive(
      titles: ["The Dispossessed", "Dispatches", "dispossess"] + (0..<37).map { "n\($0)" })
    func explain(_ predicate: Predicate<Memo>) -> String {
      archive.explain(FetchDescriptor(predicate: predicate)).description
    }
    expectEqual(
      explain(#Predicate { $0.title.contains("isposs") }),
      "Memo: 2 of 40 rows by titleParts (title contains \"isposs\"); put in the table's order")
    for part in ["i", "is", "é"] {
      let scan = """
        Memo: 40 of 40 rows by a scan of the table; in the table's order, no sort
          title contains "\(part)": less than three letters are found by a scan
        """
      expectEqual(explain(#Predicate { $0.title.contains(part) }), scan)
    }
    expectEqual(
      explain(LocalizedTitle.predicate("ISPÓSS")),
      "Memo: 2 of 40 rows by titleParts (title contains \"ISPÓSS\" in any case); "
        + "put in the table's order")
    expectEqual(
      explain(LocalizedTitle.predicate("dıspo")),
      """
      Memo: 40 of 40 rows by a scan of the table; in the table's order, no sort
        title contains "dıspo" in any case: letters that depend on the language are found by a scan
      """)
    expectEqual(
      explain(#Predicate { $0.title.contains("Disp") || $0.id == 3 }),
      "Memo: 3 of 40 rows by titleParts (title contains \"Disp\") or the primary key (id = 3); "
        + "put in the table's order")
    expectEqual(archive.titleParts.ids(containing: "Disp"), [1, 2])
    expectEqual(archive.titleParts.ids(containing: "").count, 40)
    let plain = try Store([Disc(id: 1, title: "a", year: 1)])
    expectEqual(
      plain.explain(FetchDescriptor<Disc>(predicate: #Predicate { $0.title.contains("abc") }))
        .notes,
      [
        "no index of the parts of title: `@Index var … : Indexes.Substring<Disc> = .init(\\.title)`"
          + " would serve this"
      ])
  }

  @Test("An index of parts changes only with its field, and is empty after all rows are removed")
  func changes() throws {
    var archive = try Archive(titles: (0..<400).map { "common \($0 * 7919)" })
    let old = archive
    let pieces = archive.titleParts.pieces.pieces
    try archive.performBatchUpdates { $0.modifying.notes.updateIfExists(id: 5) { $0.stars = 9 } }
    expectTrue(archive.titleParts.pieces.pieces.isIdentical(to: pieces))
    try archive.performBatchUpdates { context in
      for id in stride(from: 1, through: 400, by: 3) {
        context.modifying.notes.updateIfExists(id: .init(id)) { $0.title = "other" }
      }
    }
    expectTrue(archive.verify().isEmpty)
    expectEqual(archive.titleParts.ids(containing: "ommo").count, 266)
    expectEqual(old.titleParts.ids(containing: "ommo").count, 400)
    try archive.performBatchUpdates { $0.modifying.notes.removeAll() }
    expectTrue(archive.titleParts.count == 0)
    expectTrue(archive.titleParts.pieces.pieces.chunks.isEmpty)
  }
}

/// `localizedStandardContains` of a predicate, which Foundation has on Apple's platforms only.
private struct LocalizedTitle: StandardPredicateExpression, CompilableExpression {
  let note: PredicateExpressions.Variable<Memo>
  let part: String

  static func predicate(_ part: String) -> Predicate<Memo> {
    Predicate { LocalizedTitle(note: $0, part: part) }
  }

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try note.evaluate(bindings).title.localizedStandardContains(part)
  }

  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let title = PredicateExpressions.build_KeyPath(root: note, keyPath: \.title)
    return CompiledExpression(
      compiler.compile(title),
      localizedStandardContains: compiler.compile(PredicateExpressions.build_Arg(part)))
  }
}
