import EntiaDatabase
import EntiaLaws
import Foundation

struct Note: EntityType, Identifiable, Codable {
  let id: Int
  var text: String
  var tags: Set<Int> = []
}

struct Folder: EntityType, Identifiable, Codable {
  let id: Int
  var noteIDs: [Note.EntityID]
  var parentID: Folder.EntityID?
}

struct Pin: EntityType, Identifiable, Codable {
  let id: Int
  var noteID: Note.EntityID
}

/// A small storage with a rule of every kind.
struct Notes: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var notes = Tables.Hash<Note>()
    var folders = Tables.Hash<Folder>()
    var pins = Tables.Hash<Pin>()
    var folderNotes = ToMany<Folder, Note>(
      \.noteIDs, onDelete: .nullify, onHolderDelete: .cascade, count: .atMost(2))
    var folderParent = ToOne<Folder, Folder>(\.parentID, onDelete: .cascade)
    var pinNote = ToOne<Pin, Note>(\.noteID, onDelete: .deny)
    var byText = Indexes.Sorted<Note, String>(\.text)
    var texts = Indexes.Hash<Note, String>(\.text)
    var ages = Indexes.Age<Note>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("notes", \.notes)
      visitor.table("folders", \.folders)
      visitor.table("pins", \.pins)
      visitor.relationship("folderNotes", \.folderNotes)
      visitor.relationship("folderParent", \.folderParent)
      visitor.relationship("pinNote", \.pinNote)
      visitor.index("byText", \.byText)
      visitor.index("texts", \.texts)
      visitor.index("ages", \.ages)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

enum NotesSubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Notes>, using random: inout SeededGenerator
  ) throws {
    let id = random.number(in: 0..<6)
    switch random.number(in: 0..<12) {
    case 0..<3:
      let time = Date(timeIntervalSinceReferenceDate: Double(id))
      context.modifying.notes.insert(note(id, &random), receivedAt: time)
    case 3..<6: context.modifying.folders.insert(folder(id, &random))
    case 6: context.modifying.pins.insert(Pin(id: id, noteID: .init(random.number(in: 0..<6))))
    case 7: context.modifying.folders.updateIfExists(id: .init(id)) { $0.noteIDs.reverse() }
    case 8..<10: context.modifying.notes.remove(.init(id))
    case 10: context.modifying.folders.remove(.init(id))
    default: context.modifying.pins.removeAll()
    }
  }

  static func note(_ id: Int, _ random: inout SeededGenerator) -> Note {
    var note = Note(id: id, text: "text \(random.number(in: 0..<2))")
    for tag in 0..<(3 * id) { note.tags.insert(tag) }
    // The set has more room than its copy that is decoded, and can have another order.
    note.tags.reserveCapacity(100)
    return note
  }

  static func folder(_ id: Int, _ random: inout SeededGenerator) -> Folder {
    Folder(
      id: id,
      noteIDs: (0..<random.number(in: 0..<4)).map { _ in .init(random.number(in: 0..<6)) },
      parentID: random.oneIn(2) ? nil : .init(random.number(in: 0..<6)))
  }
}
