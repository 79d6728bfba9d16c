import Entia
import EntiaSQLite
import Foundation

struct AppState: StateType {
  var notes = Notes()
}

let path = CommandLine.arguments.dropFirst().first ?? "notes.sqlite"
if !FileManager.default.fileExists(atPath: path) { try FirstVersion.writeFile(path: path) }

print(try DatabaseFile<Notes>.migrationPlan(path: path, migrations: Notes.migrations))
let file = try DatabaseFile<Notes>(path: path, migrations: Notes.migrations)
let store = Store<AppState, Never>(initialState: AppState(notes: try file.load()))
let keeper = try store.keep(\.notes, in: file)

store.batch(\.notes, "Pin") { tables in
  tables.notes[1]?.isPinned = true
  tables.notes.move(1, to: 0)
}
try await keeper.saved()

for note in store.state.notes.notes {
  let folder = store.state.notes.view(of: note.entityID)?[\.noteFolder]?.name ?? "no folder"
  print("\(folder): \(note.isPinned ? "* " : "")\(note.title) (\(note.text))")
}
try file.close()
