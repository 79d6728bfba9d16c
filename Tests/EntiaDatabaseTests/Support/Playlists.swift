import EntiaDatabase

/// A storage with IDs that the user holds.
struct Playlists: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var bands = Tables.Hash<Band>()
    var tracks = Tables.Hash<Track>()
    var favorites = Indexes.OrderedID<Track>()
    var unheard = Indexes.Set<Track>()
    var trackBand = ToOne<Track, Band>(\.bandID, onDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("bands", \.bands)
      visitor.table("tracks", \.tracks)
      visitor.index("favorites", \.favorites)
      visitor.index("unheard", \.unheard)
      visitor.relationship("trackBand", \.trackBand)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var tracks: Tables.Hash<Track> { snapshot.contents.tracks }
  var favorites: Indexes.OrderedID<Track> { snapshot.contents.favorites }
  var unheard: Indexes.Set<Track> { snapshot.contents.unheard }

  static func sample() throws -> Playlists {
    var playlists = Playlists()
    try playlists.performBatchUpdates { context in
      context.modifying.bands.insert(Band(id: 0, email: "b"))
      context.modifying.tracks.insert((1...4).map { Track(id: $0, title: "t", year: 1) })
      for id in [3, 1, 2] as [Track.EntityID] { context.modifying.favorites.append(id) }
      context.modifying.unheard.insert(2)
    }
    return playlists
  }
}
