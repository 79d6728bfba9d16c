import Entia
import EntiaSQLite

@Entity
struct Folder {
  let id: Int
  var name: String
}

@Entity
struct Note {
  let id: Int
  var title: String
  var text: String
  /// The notes of the first version do not have it. They get this value without a migration.
  var isPinned = false
  var folder: Folder.EntityID
}

@NormalizedStorage
struct Notes {
  @Table var folders: Tables.Hash<Folder> = .init()
  @Table var notes: Tables.Ordered<Note> = .init()
  @Relationship var noteFolder: ToOne<Note, Folder> = .init(\.folder, onDelete: .cascade)
}

extension Notes {
  /// The steps from the first version of the program to this one. A step stays for ever, and a new
  /// one is appended.
  static let migrations: [Migration] = [
    .transforming("notes", named: "split text into title and text") { row in
      var row = row
      let lines = try row.value(String.self, of: "text").split(separator: "\n", maxSplits: 1)
      try row.set(lines.first.map(String.init) ?? "", of: "title")
      try row.set(lines.count == 2 ? String(lines[1]) : "", of: "text")
      return row
    },
    .custom("put all notes into a folder") { tables in
      let all = MigrationRow(id: .integer(1), members: ["id": .integer(1), "name": .text("All")])
      try tables.setRows([all], of: "folders")
      try tables.addMember("folder", to: "notes", value: 1)
    },
  ]
}
