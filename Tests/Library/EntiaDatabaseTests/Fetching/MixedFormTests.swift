import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaDatabase

/// A file whose name and ID may be composed or decomposed.
private struct Scan: EntityType, Identifiable {
  let id: String
  var name: String
  var number: Int
}

private struct Scans: NormalizedStorageType {
  struct Contents: StorageContents {
    var scans = Tables.Hash<Scan>()
    var byName = Indexes.Sorted<Scan, String>(\.name)
    var byNumber = Indexes.Sorted<Scan, Int>(\.number)
    var byNameAndNumber = Indexes.Sorted<Scan, SortKeys<Descending<String>, Int>>(
      by: .descending(\.name), .ascending(\.number))

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("scans", \.scans)
      visitor.index("byName", \.byName)
      visitor.index("byNumber", \.byNumber)
      visitor.index("byNameAndNumber", \.byNameAndNumber)
    }
  }

  var snapshot = Snapshot(Contents())
}

@Suite("Strings in composed and decomposed form")
struct MixedFormTests {
  private static let words: [String] = {
    let parts = [
      "Caf\u{E9}", "Cafe\u{301}", "Cafe", "\u{E9}", "e\u{301}", "\u{D55C}",
      "\u{1112}\u{1161}\u{11AB}",
    ]
    return parts + ["s", "1", "10"].flatMap { end in parts.map { $0 + end } }
  }()

  @Test("Laws 13, 19: an index never changes what a fetch returns, and pages leave out no row")
  func histories() throws {
    for seed in LawRuns(count: 6).seeds {
      var random = SeededGenerator(seed: seed)
      var scans = Scans()
      for step in 0..<60 {
        let kept = random.oneIn(2) ? scans : nil
        let (id, name) = (word(&random), word(&random))
        scans.performBatchUpdates { context in
          if random.oneIn(4) {
            context.modifying.scans.remove(.init(id))
          } else {
            context.modifying.scans.insert(
              Scan(id: id, name: name, number: random.number(in: 0..<3)))
          }
        }
        let place = "seed \(seed), step \(step)"
        let contents = scans.snapshot.contents
        expectEqual(contents.byName.count, contents.scans.count, "\(place)")
        expectEqual(contents.byNameAndNumber.count, contents.scans.count, "\(place)")
        expectEqual(scans.verify(), [], "\(place)")
        check(FetchDescriptor(sortBy: [SortDescriptor(\.name)]), scans, place)
        check(FetchDescriptor(sortBy: [SortDescriptor(\.number, order: .reverse)]), scans, place)
        let text = word(&random)
        check(FetchDescriptor(predicate: #Predicate { $0.name == text }), scans, place)
        check(FetchDescriptor(predicate: #Predicate { $0.name < text }), scans, place)
        check(FetchDescriptor(predicate: #Predicate { $0.name >= text }), scans, place)
        check(FetchDescriptor(predicate: #Predicate { $0.name.starts(with: text) }), scans, place)
        let (from, to, below, only) = (text..., ...text, ..<text, text...text)
        check(FetchDescriptor(predicate: #Predicate { from.contains($0.name) }), scans, place)
        check(FetchDescriptor(predicate: #Predicate { to.contains($0.name) }), scans, place)
        check(FetchDescriptor(predicate: #Predicate { below.contains($0.name) }), scans, place)
        check(FetchDescriptor(predicate: #Predicate { only.contains($0.name) }), scans, place)
        expectEqual(kept?.verify() ?? [], [], "\(place)")
      }
    }
  }

  private func word(_ random: inout SeededGenerator) -> String {
    Self.words[random.number(in: 0..<Self.words.count)]
  }

  private func check(_ descriptor: FetchDescriptor<Scan>, _ scans: Scans, _ place: String) {
    let fetched = scans.fetch(descriptor).map(\.entityID)
    expectEqual(fetched, scans.scan(descriptor).map(\.entityID), "\(place)")
    if descriptor.sortBy.isEmpty { return }
    var paged = descriptor
    paged.fetchLimit = 2
    var (ids, cursor): ([Scan.EntityID], FetchCursor<Scan>?) = ([], nil)
    repeat {
      let page = scans.fetchPage(paged, after: cursor)
      ids += page.entities.map(\.entityID)
      cursor = page.next
    } while cursor != nil
    expectEqual(ids, fetched, "\(place)")
  }
}
