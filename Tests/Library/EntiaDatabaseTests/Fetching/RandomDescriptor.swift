import EntiaDatabase
import EntiaLaws
import Foundation

/// Descriptions of fetches of discs, at random.
enum RandomDescriptor {
  static func make(_ random: inout SeededGenerator) -> FetchDescriptor<Disc> {
    var descriptor = filtered(&random)
    descriptor.sortBy = sorts(&random)
    if random.oneIn(2) { descriptor.fetchLimit = random.number(in: -1..<6) }
    if random.oneIn(3) { descriptor.fetchOffset = random.number(in: -1..<4) }
    if random.oneIn(5) {
      let year = random.number(in: -3..<4)
      descriptor = descriptor.joining(
        \Store.Contents.discSequel, #Predicate { $0.year >= year && !$0.title.isEmpty })
    }
    if random.oneIn(5) {
      let label = "\(random.number(in: 0..<12))"
      descriptor = descriptor.joining(
        inverse: \Store.Contents.crateDiscs, #Predicate { $0.label == label })
    }
    if random.oneIn(5) {
      let year = random.number(in: -3..<4)
      let words: [JoinQuantifier] = [
        .any, .all, .none, .atLeast(2), .atMost(1), .exactly(1), .atLeast(-1), .exactly(0),
      ]
      descriptor = descriptor.joining(
        inverse: \Store.discSequel,
        FetchDescriptor(predicate: #Predicate { $0.year > year })
          .joining(inverse: \Store.Contents.crateDiscs, matching: words[random.number(in: 0..<8)]),
        matching: words[random.number(in: 0..<8)])
    }
    if random.oneIn(6) {
      descriptor = descriptor.sorted(
        by: \Store.discSequel,
        SortDescriptor(\.year, order: random.oneIn(2) ? .forward : .reverse))
    }
    return descriptor
  }

  /// Returns a description that fixes the first fields of an index, with an order that the index
  /// may have.
  static func fixingFields(_ random: inout SeededGenerator) -> FetchDescriptor<Disc> {
    let year = random.number(in: -3..<4)
    let word = ["", "a", "ab", "b"][random.number(in: 0..<4)]
    var descriptor =
      switch random.number(in: 0..<4) {
      case 0: FetchDescriptor<Disc>(predicate: #Predicate { $0.year == year })
      case 1: FetchDescriptor<Disc>(predicate: #Predicate { $0.title == word })
      case 2: FetchDescriptor<Disc>(predicate: #Predicate { $0.year == year && $0.title >= word })
      default: FetchDescriptor<Disc>(predicate: #Predicate { $0.year == year && $0.title == word })
      }
    descriptor.sortBy = sorts(&random)
    if random.oneIn(2) { descriptor.fetchLimit = random.number(in: 1..<4) }
    return descriptor
  }

  private static func filtered(_ random: inout SeededGenerator) -> FetchDescriptor<Disc> {
    let year = random.number(in: -3..<4)
    let other = year + random.number(in: 0..<4)
    let word = ["", "a", "ab", "b", "a\u{10FFFF}"][random.number(in: 0..<5)]
    let sequel: Disc.EntityID? = random.oneIn(2) ? nil : .init(random.number(in: 0..<4))
    let years = [year, other, year]
    let id = random.number(in: 0..<12)
    let ids = [id, other, id]
    let entityID = Disc.EntityID(id)
    switch random.number(in: 0..<27) {
    case 0: return FetchDescriptor()
    case 1: return FetchDescriptor { $0.year == year }
    case 2: return FetchDescriptor(predicate: #Predicate { $0.year == year })
    case 3: return FetchDescriptor(predicate: #Predicate { $0.year > year && $0.year <= other })
    case 4: return FetchDescriptor(predicate: #Predicate { (year..<other).contains($0.year) })
    case 5: return FetchDescriptor(predicate: #Predicate { $0.title.starts(with: word) })
    case 6:
      return FetchDescriptor(predicate: #Predicate { $0.year == year && $0.title >= word })
    case 7: return FetchDescriptor(predicate: #Predicate { $0.sequelID == sequel })
    case 8: return FetchDescriptor(predicate: #Predicate { years.contains($0.year) })
    case 9:
      return FetchDescriptor(predicate: #Predicate { $0.year == year || $0.title == word })
    case 10:
      return FetchDescriptor(predicate: #Predicate { $0.year == year || $0.isLive })
    case 11: return FetchDescriptor(predicate: #Predicate { $0.rating! > 0 && $0.title < "b" })
    case 12: return FetchDescriptor(predicate: #Predicate { $0.rating! <= 1.5 })
    case 13: return FetchDescriptor(predicate: #Predicate { $0.title == word && $0.isLive })
    case 14: return FetchDescriptor(predicate: #Predicate { $0.box.color == word })
    case 15: return FetchDescriptor(predicate: #Predicate { $0.year == year && $0.year > other })
    case 16: return FetchDescriptor(predicate: #Predicate { _ in false })
    case 17: return FetchDescriptor(predicate: #Predicate { $0.id == id })
    case 18: return FetchDescriptor(predicate: #Predicate { ids.contains($0.id) && $0.year < 3 })
    case 19: return FetchDescriptor(predicate: #Predicate { $0.entityID == entityID })
    case 20: return FetchDescriptor(predicate: #Predicate { $0.twinID == entityID })
    case 21: return FetchDescriptor(predicate: #Predicate { $0.rating.flatMap { $0 > 0 } == true })
    case 22:
      return FetchDescriptor(
        predicate: #Predicate { if let rating = $0.rating { rating <= 1.5 } else { false } })
    case 23: return FetchDescriptor(predicate: #Predicate { $0.rating.flatMap { $0 > 0 } ?? true })
    case 24:
      return FetchDescriptor(predicate: #Predicate { $0.rating.flatMap { $0 < 1 } != false })
    case 25:
      return FetchDescriptor(predicate: #Predicate { $0.isLive ? $0.year == year : $0.id == id })
    default: return FetchDescriptor(predicate: RandomPredicate.make(&random))
    }
  }

  private static func sorts(_ random: inout SeededGenerator) -> [SortDescriptor<Disc>] {
    let order: SortOrder = random.oneIn(2) ? .forward : .reverse
    let other: SortOrder = random.oneIn(2) ? .forward : .reverse
    switch random.number(in: 0..<10) {
    case 0..<2: return []
    case 2: return [SortDescriptor(\.year, order: order)]
    case 3: return [SortDescriptor(\.title, comparator: .lexical, order: order)]
    case 4:
      return [
        SortDescriptor(\.year, order: order),
        SortDescriptor(\.title, comparator: .lexical, order: other),
      ]
    case 5: return [SortDescriptor(\.rating, order: order)]
    case 6: return [SortDescriptor(\.decade, order: order), SortDescriptor(\.id, order: other)]
    case 7: return [SortDescriptor(\.title, order: order), SortDescriptor(\.year, order: other)]
    case 8:
      return [
        SortDescriptor(\.title, comparator: .lexical, order: order),
        SortDescriptor(\.year, order: other),
        SortDescriptor(\.seconds, order: random.oneIn(2) ? .forward : .reverse),
      ]
    default: return [SortDescriptor(\.id, order: order)]
    }
  }
}
