import EntiaDatabase
import EntiaLaws

/// An entity whose IDs have no order.
struct Poster: EntityType {
  struct Key: Hashable, Sendable { let number: Int }
  typealias EntityIDRawType = Key
  var entityID: EntityID { .init(Key(number: number)) }
  let number: Int
  var year: Int
}

struct Crate: EntityType, Identifiable {
  let id: Int
  var label: String
  var discIDs: [Disc.EntityID]
}

/// A storage with indexes for fetches, and relationships to join.
struct Store: NormalizedStorageType {
  struct Contents: StorageContents {
    var discs = Tables.Hash<Disc>()
    var crates = Tables.Ordered<Crate>()
    var posters = Tables.Ordered<Poster>()
    var byYear = Indexes.Sorted<Disc, Int>(\.year)
    var byTitle = Indexes.Sorted<Disc, String>(\.title)
    var byRating = Indexes.Sorted<Disc, Double>(\.rating)
    var byYearAndTitle = Indexes.Sorted<Disc, SortKeys<Int, Descending<String>>>(
      by: .ascending(\.year), .descending(\.title))
    var byTitleAndMore = Indexes.Sorted(by: \Disc.title, .descending(\.year), \.seconds)
    var bySequel = Indexes.Hash<Disc, Disc.EntityID>(\.sequelID)
    var byColor = Indexes.Hash<Disc, String>(\.box.color)
    var liveByTitle = Indexes.Hash<Disc, String>(\.title, where: { $0.isLive })
    var byLabel = Indexes.Unique<Crate, String>(\.label)
    var discSequel = ToOne<Disc, Disc>(\.sequelID, onDelete: .keepDangling)
    var crateDiscs = ToMany<Crate, Disc>(\.discIDs, onDelete: .keepDangling)

    static var entityIDPaths: [AnyKeyPath] { [\Disc.entityID, \Crate.entityID] }

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("discs", \.discs)
      visitor.table("crates", \.crates)
      visitor.table("posters", \.posters)
      visitor.index("byYear", \.byYear)
      visitor.index("byTitle", \.byTitle)
      visitor.index("byRating", \.byRating)
      visitor.index("byYearAndTitle", \.byYearAndTitle)
      visitor.index("byTitleAndMore", \.byTitleAndMore)
      visitor.index("bySequel", \.bySequel)
      visitor.index("byColor", \.byColor)
      visitor.index("liveByTitle", \.liveByTitle)
      visitor.index("byLabel", \.byLabel)
      visitor.relationship("discSequel", \.discSequel)
      visitor.relationship("crateDiscs", \.crateDiscs)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var discs: Tables.Hash<Disc> { snapshot.contents.discs }
  var discSequel: ToOne<Disc, Disc> { snapshot.contents.discSequel }
}

extension Store {
  init(_ discs: [Disc], crates: [Crate] = [], posters: [Poster] = []) throws {
    try performBatchUpdates { context in
      context.modifying.discs.insert(discs)
      context.modifying.crates.insert(crates)
      context.modifying.posters.insert(posters)
    }
  }

  /// Discs of which each ten have a year, in an order that is not that of the years.
  static func large(_ count: Int) throws -> Store {
    try Store(
      (0..<count).map { number in
        let id = number * 7919 % count
        return Disc(id: id, title: "t\(id % 13)", year: id / 10, sequelID: .init(id + 1))
      },
      crates: (0..<count / 10).map { Crate(id: $0, label: "c\($0)", discIDs: [.init($0)]) })
  }
}

/// Random edits of discs and crates.
enum StoreEdits {
  static func edit(_ store: inout Store, _ random: inout SeededGenerator) throws {
    let id = random.number(in: 0..<12)
    try store.performBatchUpdates { context in
      switch random.number(in: 0..<8) {
      case 0..<4: context.modifying.discs.insert(Disc.random(id: id, &random))
      case 4: context.modifying.discs.remove(.init(id))
      case 5: context.modifying.crates.remove(.init(id % 4))
      default:
        let discIDs = (0..<random.number(in: 0..<3)).map { _ in
          Disc.EntityID(random.number(in: 0..<12))
        }
        context.modifying.crates.insert(Crate(id: id % 4, label: "\(id)", discIDs: discIDs))
      }
    }
  }
}
