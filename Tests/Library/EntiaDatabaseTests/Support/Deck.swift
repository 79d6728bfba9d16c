import EntiaDatabase

enum Hashed: Sendable {}
enum Piled: Sendable {}

/// A row with a transient member, written by hand.
struct Card<Table: Sendable>: EntityType, Identifiable, Codable, Hashable {
  enum FlagDefault: TransientMemberDefault {
    static var value: Int { 0 }
  }

  let id: Int
  var title: Int
  var note = 0
  private var storedFlag: TransientMember<FlagDefault>
  var flag: Int {
    get { storedFlag.value }
    set { storedFlag.value = newValue }
  }

  init(id: Int, title: Int, note: Int = 0, flag: Int = 0) {
    (self.id, self.title, self.note) = (id, title, note)
    storedFlag = TransientMember(flag)
  }
}

/// A storage whose rows have transient members, in a table of each kind.
struct Deck: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var cards = Tables.Hash<Card<Hashed>>()
    var pile = Tables.Ordered<Card<Piled>>()
    var cardsByTitle = Indexes.Hash<Card<Hashed>, Int>(\.title)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("cards", \.cards)
      visitor.table("pile", \.pile)
      visitor.index("cardsByTitle", \.cardsByTitle)
    }
  }

  var snapshot = Snapshot(Contents())
  var cards: Tables.Hash<Card<Hashed>> { snapshot.contents.cards }
  var pile: Tables.Ordered<Card<Piled>> { snapshot.contents.pile }
}
