package import EntiaDatabase

package struct Note: EntityType, Identifiable, Codable {
  package let id: Int
  package var text: String
  package var writerID: Writer.EntityID
  package var parentID: Note.EntityID?

  package init(
    id: Int, text: String = "", writerID: Writer.EntityID = "w", parentID: Note.EntityID? = nil
  ) {
    self.id = id
    self.text = text
    self.writerID = writerID
    self.parentID = parentID
  }
}

package struct Writer: EntityType, Identifiable, Codable {
  package let id: String
  package var name: String

  package init(id: String, name: String = "") {
    self.id = id
    self.name = name
  }
}

/// A request for notes.
package enum NoteRequest: Hashable, Codable, Sendable {
  case all
  case by(String)
}

/// A cache of notes from a server: ages and answers, with held notes, and replies that go with
/// their parents.
package struct Inbox: NormalizedStorageType, Codable {
  package struct Contents: StorageContents {
    package var notes = Tables.Hash<Note>()
    package var writers = Tables.Ordered<Writer>()
    package var noteWriter = ToOne<Note, Writer>(\.writerID, onDelete: .deny)
    package var noteParent = ToOne<Note, Note>(\.parentID, onDelete: .cascade)
    package var noteAges = Indexes.Age<Note>()
    package var writerAges = Indexes.Age<Writer>()
    package var answers = Indexes.Responses<NoteRequest, Note>()
    package var pinned = Indexes.OrderedID<Note>()

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("notes", \.notes)
      visitor.table("writers", \.writers)
      visitor.relationship("noteWriter", \.noteWriter)
      visitor.relationship("noteParent", \.noteParent)
      visitor.index("noteAges", \.noteAges)
      visitor.index("writerAges", \.writerAges)
      visitor.index("answers", \.answers)
      visitor.index("pinned", \.pinned)
    }
  }

  package typealias Refusal = any Error

  package var snapshot = Snapshot(Contents())
  package var notes: Tables.Hash<Note> { snapshot.contents.notes }
  package var writers: Tables.Ordered<Writer> { snapshot.contents.writers }
  package var noteAges: Indexes.Age<Note> { snapshot.contents.noteAges }
  package var writerAges: Indexes.Age<Writer> { snapshot.contents.writerAges }
  package var answers: Indexes.Responses<NoteRequest, Note> { snapshot.contents.answers }
  package var pinned: Indexes.OrderedID<Note> { snapshot.contents.pinned }

  package init() {}
}
