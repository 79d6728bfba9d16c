import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

@Suite("Compiled predicates")
struct PredicateTests {
  static let wanted = "ab"
  static let ids: [Disc.EntityID?] = [0, 1, 2, 3, nil, 9]
  static let box = Disc.Sleeve(color: "a", pages: 1)

  /// A predicate of every kind of expression that Foundation has.
  static func samples() -> [(String, Predicate<Disc>)] {
    let (wanted, ids, box) = (wanted, ids, box)
    let years = [-1, 0, 2, 3, 7, 9]
    let names = ["a": 1, "b": 2]
    return [
      ("true", #Predicate { _ in true }),
      ("field", #Predicate { $0.isLive }),
      ("equal", #Predicate { $0.year == 1 }),
      ("turned", #Predicate { 1 > $0.year }),
      ("not equal", #Predicate { $0.title != wanted }),
      ("less", #Predicate { $0.year < 1 }),
      ("at most", #Predicate { $0.title <= wanted }),
      ("greater", #Predicate { $0.seconds > 100 }),
      ("at least", #Predicate { $0.year >= 1 }),
      ("two fields", #Predicate { $0.title == $0.box.color }),
      ("computed", #Predicate { $0.decade == 0 }),
      ("nested", #Predicate { $0.box.pages > 0 }),
      ("captured path", #Predicate { $0.box.color == box.color }),
      ("ids", #Predicate { $0.sequelID == nil }),
      ("members", #Predicate { ids.contains($0.sequelID) }),
      ("few members", #Predicate { [1, 2].contains($0.year) }),
      ("many members", #Predicate { years.contains($0.year) }),
      ("and", #Predicate { $0.isLive && $0.year > 0 }),
      ("or", #Predicate { $0.isLive || $0.year > 0 }),
      ("not", #Predicate { !$0.isLive }),
      ("not or", #Predicate { !($0.isLive || $0.year > 0) }),
      ("conditional", #Predicate { $0.isLive ? $0.year > 0 : $0.title == wanted }),
      ("sum", #Predicate { $0.year + $0.box.pages == 2 }),
      ("product", #Predicate { $0.year * 2 - 1 > $0.box.pages }),
      ("division", #Predicate { 6 / ($0.year * $0.year + 1) == 3 }),
      ("remainder", #Predicate { $0.year % 2 == 0 }),
      ("minus", #Predicate { -$0.year == 1 }),
      ("floats", #Predicate { ($0.rating ?? 1.0) / 2.0 * 3.0 - 1.0 > 0.5 }),
      ("double", #Predicate { ($0.rating ?? 0.0) == 1.5 }),
      ("optional double", #Predicate { $0.rating == 1.5 }),
      ("optional", #Predicate { $0.sleeve?.color == wanted }),
      ("optional test", #Predicate { $0.sleeve != nil }),
      ("optional of optional", #Predicate { $0.sleeve.flatMap { $0.pages } == 1 }),
      ("if let", #Predicate { if let sleeve = $0.sleeve { sleeve.pages > 0 } else { false } }),
      ("forced", #Predicate { $0.sleeve!.pages > 0 }),
      ("forced second", #Predicate { $0.isLive && $0.sleeve!.pages > 0 }),
      ("forced rating", #Predicate { $0.rating! > 0 }),
      ("coalesced", #Predicate { ($0.sleeve?.pages ?? -1) < 1 }),
      ("contains", #Predicate { $0.tags.contains(wanted) }),
      ("contains where", #Predicate { $0.tags.contains { $0 == wanted || $0.isEmpty } }),
      ("outer", #Predicate { disc in disc.tags.contains { $0 == disc.title } }),
      ("all", #Predicate { $0.tags.allSatisfy { $0.count > 1 } }),
      (
        "nested closures",
        #Predicate { disc in
          disc.tags.contains { tag in disc.tags.allSatisfy { $0 <= tag && $0 <= disc.title } }
        }
      ),
      ("filter", #Predicate { $0.tags.filter { $0 == "a" }.count == 1 }),
      ("starts", #Predicate { $0.title.starts(with: "ab") }),
      ("substring", #Predicate { $0.title.contains("b") }),
      ("pattern", #Predicate { $0.title.contains(#/^.b/#) }),
      ("empty", #Predicate { $0.title.isEmpty }),
      ("count", #Predicate { $0.title.count == 2 }),
      ("list count", #Predicate { $0.tags.count == 1 }),
      ("minimum", #Predicate { $0.tags.min() == "a" }),
      ("maximum", #Predicate { $0.tags.max() == "b" }),
      ("range", #Predicate { (-1..<2).contains($0.year) }),
      ("closed range", #Predicate { (-1...2).contains($0.year) }),
      ("range of fields", #Predicate { ($0.box.pages...2).contains($0.year) }),
      ("text range", #Predicate { ("a"..<"b").contains($0.title) }),
      ("element", #Predicate { $0.tags[0] == "a" }),
      ("elements", #Predicate { $0.tags[0..<1].contains("a") }),
      ("key", #Predicate { $0.plays["a"] == 1 }),
      ("key or", #Predicate { $0.plays["b", default: 7] == 7 }),
      ("dictionary", #Predicate { names[$0.title] == 1 }),
      ("cast", cast { Made.Equal(lhs: Made.ConditionalCast<Year, Int>($0), rhs: Made.Value(1)) }),
      (
        "cast to another",
        cast {
          Made.Equal(lhs: Made.ConditionalCast<Year, String>($0), rhs: Made.NilLiteral())
        }
      ),
      ("force cast", cast { Made.Equal(lhs: Made.ForceCast<Year, Int>($0), rhs: Made.Value(1)) }),
      (
        "force cast to another",
        cast {
          Made.Equal(lhs: Made.ForceCast<Year, String>($0), rhs: Made.Value("1"))
        }
      ),
      ("type", cast { Made.TypeCheck<Year, Int>($0) }),
      ("another type", cast { Made.TypeCheck<Year, String>($0) }),
    ]
  }

  typealias Made = PredicateExpressions
  typealias Year = Made.KeyPath<Made.Variable<Disc>, Int>

  /// The compiler warns of casts whose outcome is known where they are written as such.
  static func cast(
    _ build: (Year) -> any StandardPredicateExpression<Bool>
  ) -> Predicate<Disc> {
    Predicate<Disc> { build(Made.build_KeyPath(root: $0, keyPath: \.year)) }
  }

  static func evaluate(_ predicate: Predicate<Disc>, _ disc: Disc) -> Bool {
    do { return try predicate.evaluate(disc) } catch { return false }
  }

  static func accepts(_ predicate: CompiledPredicate, _ disc: Disc) -> Bool {
    PredicateFrame.with(slotCount: predicate.slotCount) { frame in
      // A row for which the predicate has no value does not match.
      frame.binding(0, to: disc) { do { return try predicate.test(frame) } catch { return false } }
    }
  }

  @Test("A prefix is found with an index as without, also before U+10FFFF and before marks")
  func prefixes() throws {
    let titles = [
      "", "a", "a\u{10FFFF}", "a\u{10FFFF}b", "a\u{10FFFF}\u{10FFFF}", "b", "e", "é",
      "e\u{301}", "e\u{10FFFF}", "é\u{10FFFF}", "x", "x\u{30A}", "x\u{30A}y", "\u{30A}",
      "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}z", "ᄀ", "가", "각", "\r", "\r\n",
    ]
    let store = try Store(
      titles.enumerated().map { Disc(id: $0.offset, title: $0.element, year: 1) })
    for prefix in titles {
      let wanted = titles.indices.filter { titles[$0].starts(with: prefix) }
      for descriptor in [
        FetchDescriptor<Disc>(predicate: #Predicate { $0.title.starts(with: prefix) }),
        // Descending titles after a fixed year.
        FetchDescriptor<Disc>(
          predicate: #Predicate { $0.year == 1 && $0.title.starts(with: prefix) }),
      ] {
        let name = prefix.debugDescription
        expectEqual(store.fetch(descriptor).map(\.id).sorted(), wanted, "\(name)")
        expectEqual(store.fetch(descriptor), store.scan(descriptor), "\(name)")
      }
    }
    let begun = FetchDescriptor<Disc>(
      predicate: #Predicate { $0.title.starts(with: "x\u{30A}") })
    let explanation = store.explain(begun)
    expectEqual(explanation.indexes, ["byTitle"], "\(explanation)")
    expectTrue("\(explanation)".contains("title from \"x̊\" through \"x̊…\""), "\(explanation)")
  }

  @Test("A compiled predicate accepts the same rows as evaluate, and nothing is left to evaluate")
  func samplesAgree() {
    var random = SeededGenerator(seed: 17)
    let discs = (0..<200).map { Disc.random(id: $0, &random) }
    for (name, predicate) in Self.samples() {
      let compiled = CompiledPredicate(predicate)
      expectEqual(compiled.interpreted, [], "\(name)")
      let accepted = discs.filter { Self.accepts(compiled, $0) }.map(\.id)
      let expected = discs.filter { Self.evaluate(predicate, $0) }.map(\.id)
      expectEqual(accepted, expected, "\(name)")
    }
  }

  @Test("An expression without a value does not match, where evaluate would stop the process")
  func noValue() {
    let disc = Disc(id: 1, year: .max, seconds: 200)
    let predicates: [Predicate<Disc>] = [
      #Predicate { $0.year + 1 > 0 }, #Predicate { $0.seconds * 2 > 0 },
      #Predicate { -($0.year * -1 - 1) > 0 }, #Predicate { 1 / $0.box.pages == 0 },
      #Predicate { 1 % $0.box.pages == 0 }, #Predicate { (1..<$0.box.pages).contains($0.year) },
      #Predicate { ($0.seconds...$0.seconds - 1).contains($0.seconds) },
      #Predicate { $0.tags[$0.year + 1].contains(#/a/#) },
      #Predicate { ($0.seconds * 2 > 0 ? $0.title : "").contains(#/a/#) },
    ]
    for (number, predicate) in predicates.enumerated() {
      expectFalse(Self.accepts(CompiledPredicate(predicate), disc), "\(number)")
    }
    let denied = #Predicate<Disc> { !($0.year + 1 > 0) }
    expectFalse(Self.accepts(CompiledPredicate(denied), disc))
    let other = #Predicate<Disc> { $0.isLive || $0.id == 1 || $0.year + 1 > 0 }
    expectTrue(Self.accepts(CompiledPredicate(other), disc))
  }

  @Test("Only an unsupported part is left to evaluate, and explain lists it")
  func interpreted() {
    let predicate = Predicate<Disc> { disc in
      let tags = Made.build_KeyPath(root: disc, keyPath: \.tags)
      let isLive = Made.build_KeyPath(root: disc, keyPath: \.isLive)
      return Made.build_Conjunction(
        lhs: isLive, rhs: Made.build_contains(tags) { IsShort(text: $0, than: disc) })
    }
    let compiled = CompiledPredicate(predicate)
    expectEqual(compiled.interpreted, ["IsShort"])
    var random = SeededGenerator(seed: 3)
    for id in 0..<200 {
      let disc = Disc.random(id: id, &random)
      expectEqual(Self.accepts(compiled, disc), Self.evaluate(predicate, disc))
    }
  }

  @Test("Random predicates: a compiled one accepts the same rows as evaluate")
  func randomPredicates() {
    for seed in 0..<UInt64(60) {
      var random = SeededGenerator(seed: seed)
      let discs = (0..<40).map { Disc.random(id: $0, &random) }
      let predicate = RandomPredicate.make(&random)
      let compiled = CompiledPredicate(predicate)
      for disc in discs {
        expectEqual(
          Self.accepts(compiled, disc), Self.evaluate(predicate, disc),
          "seed \(seed): \(predicate) for \(disc)")
      }
    }
  }
}

/// An expression that the library does not know.
struct IsShort: StandardPredicateExpression {
  let text: PredicateExpressions.Variable<String>
  let than: PredicateExpressions.Variable<Disc>

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    try text.evaluate(bindings).count < than.evaluate(bindings).title.count
  }
}
