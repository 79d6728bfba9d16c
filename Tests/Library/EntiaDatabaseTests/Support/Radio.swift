import EntiaDatabase
import EntiaLaws

struct Artist: EntityType, Identifiable, Codable {
  let id: Int
  var name: String
}

struct Song: EntityType, Identifiable, Codable {
  let id: Int
  var title: String
  var artistID: Artist.EntityID
  var nextID: Song.EntityID?
}

struct Wish: EntityType, Identifiable, Codable {
  let id: Int
  var songID: Song.EntityID
}

/// A storage with tables in orders of their own, at both ends of relationships.
struct Radio: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var artists = Tables.Hash<Artist>()
    var playlist = Tables.Ordered<Song>()
    var wishes = Tables.Ordered<Wish>()
    var songArtist = ToOne<Song, Artist>(\.artistID, onDelete: .cascade)
    var songNext = ToOne<Song, Song>(\.nextID, onDelete: .nullify)
    var wishSong = ToOne<Wish, Song>(\.songID)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("artists", \.artists)
      visitor.table("playlist", \.playlist)
      visitor.table("wishes", \.wishes)
      visitor.relationship("songArtist", \.songArtist)
      visitor.relationship("songNext", \.songNext)
      visitor.relationship("wishSong", \.wishSong)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var artists: Tables.Hash<Artist> { snapshot.contents.artists }
  var playlist: Tables.Ordered<Song> { snapshot.contents.playlist }
  var wishes: Tables.Ordered<Wish> { snapshot.contents.wishes }
}

extension Radio {
  /// Two artists and five songs of theirs, in the order of their numbers.
  static func sample() throws -> Radio {
    var radio = Radio()
    try radio.performBatchUpdates { context in
      context.modifying.artists.insert([Artist(id: 1, name: "Ann"), Artist(id: 2, name: "Bob")])
      context.modifying.playlist.insert(
        (1...5).map { Song(id: $0, title: "\($0)", artistID: $0 == 4 ? 2 : 1) })
    }
    return radio
  }

  /// The titles of the songs in their order.
  var titles: String { playlist.map(\.title).joined() }
}

/// Random edits of every table of the radio, most of them of its order.
enum RadioSubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Radio>, using random: inout SeededGenerator
  ) throws {
    let id = Song.EntityID(random.number(in: 0..<6))
    let other = Song.EntityID(random.number(in: 0..<6))
    let count = context.modifying.playlist.count
    switch random.number(in: 0..<18) {
    case 0: context.modifying.artists.insert(Artist(id: id.raw, name: "\(other.raw)"))
    case 1..<5:
      let position = random.number(in: 0..<count + 1)
      context.modifying.playlist.insert(song(id.raw, &random), at: position)
    case 5: context.modifying.playlist.insert([song(id.raw, &random), song(other.raw, &random)])
    case 6..<8:
      guard context.modifying.playlist.contains(id) else { return }
      context.modifying.playlist.move(id, to: random.number(in: 0..<count))
    case 8: context.modifying.playlist.move(id, before: other)
    case 9: context.modifying.playlist.move(id, after: other)
    case 10: context.modifying.playlist.swap(id, other)
    case 11: context.modifying.playlist.updateIfExists(id: id) { $0.nextID = other }
    case 12: context.modifying.playlist.sort { $0.title < $1.title }
    case 13: context.modifying.playlist.remove(id)
    case 14 where count > 0:
      context.modifying.playlist.remove(at: random.number(in: 0..<count))
    case 15: context.modifying.wishes.insert(Wish(id: id.raw, songID: other), at: 0)
    case 16: context.modifying.wishes.remove(Wish.EntityID(id.raw))
    default: context.modifying.artists.remove(Artist.EntityID(id.raw))
    }
  }

  static func song(_ number: Int, _ random: inout SeededGenerator) -> Song {
    Song(
      id: number, title: "\(random.number(in: 0..<3))",
      artistID: Artist.EntityID(random.number(in: 0..<6)),
      nextID: random.oneIn(2) ? nil : Song.EntityID(random.number(in: 0..<6)))
  }
}
