import Entia
import EntiaDatabase

// Two versions of a program. The newer one cannot read the rows of the older one, which have no
// size, and leaves their notes in the file.

@NormalizedStorage
struct OldShelf: Equatable {
  @Table var boxes: Tables.Hash<Box> = .init()
  @Table var items: Tables.Hash<Item> = .init()
  @Table var tags: Tables.Ordered<Tag> = .init()
  @Relationship var itemBox: ToOne<Item, Box> = .init(\.box, onDelete: .nullify)

  @Entity
  struct Box {
    let id: String
    var name = ""
    var note: String?
  }

  @Entity
  struct Item {
    let id: Int
    var name = ""
    var note: String?
    var box: Box.EntityID?
  }

  @Entity
  struct Tag {
    let id: String
    var note: String?
  }

  static var sample: OldShelf {
    var shelf = OldShelf()
    shelf.performBatchUpdates { batch in
      batch.modifying.boxes.insert([
        Box(id: "x", name: "X", note: "of x"), Box(id: "y", name: "Y", note: "of y"),
      ])
      batch.modifying.items.insert(Item(id: 1, name: "one", note: "precious", box: "x"))
      batch.modifying.tags.insert([Tag(id: "s", note: "of s"), Tag(id: "t", note: "of t")])
    }
    return shelf
  }
}

@NormalizedStorage
struct NewShelf: Equatable {
  @Table var boxes: Tables.Hash<Box> = .init()
  @Table var items: Tables.Hash<Item> = .init()
  @Table var tags: Tables.Ordered<Tag> = .init()
  @Relationship var itemBox: ToOne<Item, Box> = .init(\.box, onDelete: .nullify)

  @Entity
  struct Box {
    let id: String
    var name = ""
  }

  @Entity
  struct Item {
    let id: Int
    var name = ""
    var size: Int
    var box: Box.EntityID?
  }

  @Entity
  struct Tag {
    let id: String
    var size: Int
  }
}

// Two versions of a program with a unique key and a limit of holders. The newer one has one more
// kind of guests.

@NormalizedStorage
struct OldSeats: Equatable {
  enum Kind: String, Codable { case a, b }

  @Table var tables: Tables.Hash<Table> = .init()
  @Table var guests: Tables.Hash<Guest> = .init()
  @Relationship var seats: ToOne<Guest, Table> = .init(\.table, onDelete: .keepDangling)
    .holders(.atMost(1))
  @Index var emails: Indexes.Unique<Guest, String> = .init(\.email)

  @Entity
  struct Table {
    let id: Int
  }

  @Entity
  struct Guest {
    let id: Int
    var kind: Kind
    var email: String?
    var table: Table.EntityID?
  }
}

@NormalizedStorage
struct NewSeats: Equatable {
  enum Kind: String, Codable { case a, b, c }

  @Table var tables: Tables.Hash<Table> = .init()
  @Table var guests: Tables.Hash<Guest> = .init()
  @Relationship var seats: ToOne<Guest, Table> = .init(\.table, onDelete: .keepDangling)
    .holders(.atMost(1))
  @Index var emails: Indexes.Unique<Guest, String> = .init(\.email)

  @Entity
  struct Table {
    let id: Int
  }

  @Entity
  struct Guest {
    let id: Int
    var kind: Kind
    var email: String?
    var table: Table.EntityID?
  }
}
