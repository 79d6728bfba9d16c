import EntiaDatabase

struct Track: EntityType, Identifiable, Codable {
  let id: Int
  var title: String
  var year: Int
  var rating: Double = 0
  var code: String?
  var length = 0
  var bandID: Band.EntityID = 0
}

struct Band: EntityType, Identifiable, Codable {
  let id: Int
  var email: String
}

/// A storage with an index of every kind, written by hand.
struct Catalog: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var tracks = Tables.Hash<Track>()
    var bands = Tables.Ordered<Band>()
    var byYear = Indexes.Sorted<Track, Int>(\.year)
    var byRating = Indexes.Sorted<Track, Double>(\.rating, where: { $0.year > 0 })
    // A rating below 0 has no root: NaN.
    var byRoot = Indexes.Sorted<Track, Double> { $0.rating.squareRoot() }
    var byTitle = Indexes.Sorted<Track, String> { $0.title.lowercased() }
    var byYearAndTitle = Indexes.Sorted<Track, SortKeys<Int, Descending<String>>>(
      .ascending(\.year), .descending(\.title))
    var code = Indexes.Unique<Track, String>(\.code)
    var email = Indexes.Unique<Band, String>(\.email)
    var titles = Indexes.Hash<Track, String>(\.title)
    var byBand = Indexes.GroupBy<Track, Band.EntityID>(\.bandID)
    var trackBand = ToOne<Track, Band>(\.bandID, onDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("tracks", \.tracks)
      visitor.table("bands", \.bands)
      visitor.index("byYear", \.byYear)
      visitor.index("byRating", \.byRating)
      visitor.index("byRoot", \.byRoot)
      visitor.index("byTitle", \.byTitle)
      visitor.index("byYearAndTitle", \.byYearAndTitle)
      visitor.index("code", \.code)
      visitor.index("email", \.email)
      visitor.index("titles", \.titles)
      visitor.index("byBand", \.byBand)
      visitor.relationship("trackBand", \.trackBand)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var tracks: Tables.Hash<Track> { snapshot.contents.tracks }
  var byYear: Indexes.Sorted<Track, Int> { snapshot.contents.byYear }
  var byRating: Indexes.Sorted<Track, Double> { snapshot.contents.byRating }
  var byTitle: Indexes.Sorted<Track, String> { snapshot.contents.byTitle }
  var byYearAndTitle: Indexes.Sorted<Track, SortKeys<Int, Descending<String>>> {
    snapshot.contents.byYearAndTitle
  }
  var code: Indexes.Unique<Track, String> { snapshot.contents.code }
  var email: Indexes.Unique<Band, String> { snapshot.contents.email }
  var titles: Indexes.Hash<Track, String> { snapshot.contents.titles }
  var byBand: Indexes.GroupBy<Track, Band.EntityID> { snapshot.contents.byBand }

  init() {}

  init(_ tracks: [Track], bands: [Band] = [Band(id: 0, email: "a@b.c")]) throws {
    try performBatchUpdates { context in
      context.modifying.bands.insert(bands)
      context.modifying.tracks.insert(tracks)
    }
  }
}
