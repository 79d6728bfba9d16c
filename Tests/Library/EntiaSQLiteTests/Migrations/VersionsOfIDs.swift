import Entia
import EntiaDatabase

// Versions of a program in which other members are the IDs, or have other names.

@NormalizedStorage
struct OldRoom: Equatable {
  @Table var places: Tables.Ordered<Place> = .init()
  @Table var stickers: Tables.Hash<Sticker> = .init()
  @Index var favorites: Indexes.OrderedID<Place> = .init()
  @Relationship var stickerPlace: ToOne<Sticker, Place> = .init(\.place, onDelete: .nullify)

  @Entity(id: "shelf", "position")
  struct Place {
    let shelf: String
    let position: Int
    var book = ""
  }

  @Entity
  struct Sticker {
    let id: String
    var place: Place.EntityID?
    var counts: [Place.EntityID: Int] = [:]
  }

  static var sample: OldRoom {
    let places = (1...3).map { Place(shelf: "a", position: $0) }
    var room = OldRoom()
    room.performBatchUpdates { batch in
      batch.modifying.places.insert(places)
      batch.modifying.stickers.insert(
        Sticker(id: "s", place: places[0].entityID, counts: [places[1].entityID: 2]))
      batch.modifying.favorites.append(places[2].entityID)
    }
    return room
  }
}

@NormalizedStorage
struct Room: Equatable {
  @Table var places: Tables.Ordered<Place> = .init()
  @Table var stickers: Tables.Hash<Sticker> = .init()
  @Index var favorites: Indexes.OrderedID<Place> = .init()
  @Relationship var stickerPlace: ToOne<Sticker, Place> = .init(\.place, onDelete: .nullify)

  @Entity(id: "rack", "position")
  struct Place {
    @Stored(renamedFrom: "shelf") let rack: String
    let position: Int
    var book = ""
  }

  @Entity
  struct Sticker {
    let id: String
    var place: Place.EntityID?
    var counts: [Place.EntityID: Int] = [:]
  }
}

@NormalizedStorage
struct StoredRoom: Equatable {
  @Table var places: Tables.Ordered<Place> = .init()
  @Table var stickers: Tables.Hash<Sticker> = .init()
  @Index var favorites: Indexes.OrderedID<Place> = .init()

  @Entity(id: "rack", "position")
  struct Place {
    @Stored("shelf") let rack: String
    let position: Int
    var book = ""
  }

  @Entity
  struct Sticker {
    let id: String
    var place: Place.EntityID?
    var counts: [Place.EntityID: Int] = [:]
  }
}

@NormalizedStorage
struct PlainRoom: Equatable {
  @Table var places: Tables.Ordered<Place> = .init()
  @Table var stickers: Tables.Hash<Sticker> = .init()

  @Entity(id: "rack", "position")
  struct Place {
    let rack: String
    let position: Int
    var book = ""
  }

  @Entity
  struct Sticker {
    let id: String
    var place: Place.EntityID?
  }
}

@NormalizedStorage
struct NumberedPages: Equatable {
  @Table var pages: Tables.Ordered<Page> = .init()
  @Table var marks: Tables.Hash<Mark> = .init()

  @Entity
  struct Page {
    let id: Int
    var text = ""
  }

  @Entity
  struct Mark {
    let id: Int
    var page: Page.EntityID
  }
}

@NormalizedStorage
struct EditionPages: Equatable {
  @Table var pages: Tables.Ordered<Page> = .init()
  @Table var marks: Tables.Hash<Mark> = .init()

  @Entity(id: "number", "edition")
  struct Page {
    @Stored("id") let number: Int
    var edition = 1
    var text = ""
  }

  @Entity
  struct Mark {
    let id: Int
    var page: Page.EntityID
  }
}

@NormalizedStorage
struct NamedPages: Equatable {
  @Table var pages: Tables.Ordered<Page> = .init()

  @Entity
  struct Page {
    let id: String
    let number: Int
    var text = ""
  }
}

@NormalizedStorage
struct SluggedPages: Equatable {
  @Table var pages: Tables.Ordered<Page> = .init()

  @Entity(id: "slug", "number")
  struct Page {
    @Stored(renamedFrom: "id") let slug: String
    let number: Int
    var text = ""
  }
}

@NormalizedStorage
struct CountedPages: Equatable {
  @Table var pages: Tables.Ordered<Page> = .init()

  @Entity(id: "number")
  struct Page {
    let slug: String
    let number: Int
    var text = ""
  }
}

@NormalizedStorage
struct NumberedNotes: Equatable {
  @Table var notes: Tables.Ordered<Note> = .init()
  @Index var favorites: Indexes.OrderedID<Note> = .init()

  @Entity
  struct Note {
    let id: Int
    var text = ""
  }
}

@NormalizedStorage
struct NamedNotes: Equatable {
  @Table var notes: Tables.Ordered<Note> = .init()
  @Index var favorites: Indexes.OrderedID<Note> = .init()

  @Entity
  struct Note {
    let id: String
    var text = ""
  }
}

@NormalizedStorage
struct EditionNotes: Equatable {
  @Table var notes: Tables.Ordered<Note> = .init()
  @Index var favorites: Indexes.OrderedID<Note> = .init()

  @Entity(id: "number", "edition")
  struct Note {
    @Stored("id") let number: Int
    var edition = 1
    var text = ""
  }
}
