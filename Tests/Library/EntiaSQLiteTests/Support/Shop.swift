import EntiaCollections
import EntiaDatabase

struct Note: EntityType, Identifiable, Codable {
  let id: String
  var text: String
  var rank: Double = 0
  var stars: Int?
  var labels: [String] = []
  var grade: Int??
}

struct Item: EntityType, Identifiable, Codable {
  let id: Int
  var name: String
  var noteID: Note.EntityID?
}

// Rows of this type are read and written by code as `@Entity` generates it, those of the others by
// `Codable`.
extension Item: RowCodable {
  init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    self.id = try row.member("id")
    self.name = try row.member("name")
    self.noteID = try row.memberIfPresent("noteID")
  }

  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: self.id)
    try row.setMember("name", to: self.name)
    try row.setMember("noteID", to: self.noteID)
  }

  init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    self.id = merger.merged("id", mine.id, theirs.id, base: base.id)
    self.name = merger.merged("name", mine.name, theirs.name, base: base.name)
    self.noteID = merger.merged("noteID", mine.noteID, theirs.noteID, base: base.noteID)
  }
}

/// An ID of two values.
struct Cell: Hashable, Codable, Sendable {
  var row: Int
  var column: Double
}

struct Tag: EntityType, Codable {
  typealias EntityIDRawType = Cell
  var entityID: EntityID { EntityID(Cell(row: row, column: column)) }
  let row: Int
  let column: Double
  var color: String
}

/// Both kinds of tables, both kinds of held IDs, and a relationship.
struct Shop: NormalizedStorageType {
  struct Contents: StorageContents {
    var notes = Tables.Hash<Note>()
    var items = Tables.Ordered<Item>()
    var tags = Tables.Hash<Tag>()
    var pins = Indexes.OrderedID<Item>()
    var marks = Indexes.Set<Note>()
    var itemNote = ToOne<Item, Note>(\.noteID, onDelete: .nullify)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("notes", \.notes)
      visitor.table("items", \.items)
      visitor.table("tags", \.tags)
      visitor.index("pins", \.pins)
      visitor.index("marks", \.marks)
      visitor.relationship("itemNote", \.itemNote)
    }
  }

  var snapshot = Snapshot(Contents())
  var notes: Tables.Hash<Note> { snapshot.contents.notes }
  var items: Tables.Ordered<Item> { snapshot.contents.items }
  var tags: Tables.Hash<Tag> { snapshot.contents.tags }
  var pins: Indexes.OrderedID<Item> { snapshot.contents.pins }
  var marks: Indexes.Set<Note> { snapshot.contents.marks }
}

extension Shop {
  /// The rows and the held IDs in their orders, as a text with the bits of numbers. A row that was
  /// replaced by an equal one is not written, so that 0 and -0 count as the same.
  var image: String { image(notes: notes.map(Self.text), tags: tags.map(Self.text)) }

  /// The same, but without the order of tables that have none in change sets.
  var imageWithoutTableOrder: String {
    image(notes: notes.map(Self.text).sorted(), tags: tags.map(Self.text).sorted())
  }

  private func image(notes: [String], tags: [String]) -> String {
    """
    notes \(notes)
    items \(items.map { "\($0.id)|\($0.name)|\($0.noteID?.raw ?? "-")" })
    tags \(tags)
    pins \(pins.ids()) marks \(marks.ids())
    """
  }

  private static func text(of note: Note) -> String {
    "\(note.id)|\(note.text)|\(bits(note.rank))|\(note.stars ?? -1)|\(note.labels)"
      + "|\(note.grade as Any)"
  }

  private static func text(of tag: Tag) -> String {
    "\(tag.row)|\(bits(tag.column))|\(tag.color)"
  }

  private static func bits(_ number: Double) -> String {
    String((number == 0 ? 0 : number).bitPattern, radix: 16)
  }
}
