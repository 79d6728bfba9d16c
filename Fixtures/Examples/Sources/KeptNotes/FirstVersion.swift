import Entia
import EntiaSQLite

/// The program as it was first released: a note was a text.
enum FirstVersion {
  @Entity
  struct Note {
    let id: Int
    var text: String
  }

  @NormalizedStorage
  struct Notes {
    @Table var notes: Tables.Ordered<Note> = .init()
  }

  /// Writes a file as the first version did.
  static func writeFile(path: String) throws {
    let file = try DatabaseFile<Notes>(path: path)
    var notes = try file.load()
    notes.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: 1, text: "Shopping\nbread, ink"))
      context.modifying.notes.insert(Note(id: 2, text: "Call Ada"), at: 0)
    }
    try file.save(notes)
    try file.close()
  }
}
