import EntiaPostgreSQL
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 else {
  print(
    """
    usage: SharedNotes CONNECTION SPACE

    Start it in several terminals, and stop the server meanwhile: edits wait until it is back.
    CONNECTION is a connection string of libpq, such as postgresql://localhost/postgres.
    """)
  exit(64)
}
let commands = "add TEXT, edit NUMBER TEXT, done NUMBER, remove NUMBER, list, undo, redo"

do {
  let notes = try await SharedNotes(connecting: arguments[0], space: arguments[1])
  print("\(notes.state.list.notes.count) notes; the commands are \(commands)")
  while let line = readLine() {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    let rest = line.split(separator: " ", maxSplits: 1).dropFirst().joined()
    let number = words.count > 1 ? Int(words[1]).flatMap { $0 > 0 ? $0 : nil } : nil
    var isDone = true
    switch (words.first, words.count) {
    case ("add", 2...): notes.add(rest)
    case ("edit", 3): isDone = notes.change(at: number, "Edit") { $0?.text = words[2] }
    case ("done", 2): isDone = notes.change(at: number, "Done") { $0?.isDone.toggle() }
    case ("remove", 2): isDone = notes.change(at: number, "Remove") { $0 = nil }
    case ("list", 1): print(notes.listing)
    case ("undo", 1): isDone = notes.store.undo()
    case ("redo", 1): isDone = notes.store.redo()
    case (nil, _): break
    default: print("the commands are \(commands)")
    }
    if !isDone { print("there is nothing to \(words[0])") }
  }
  try await notes.close()
} catch {
  print(error)
  exit(69)
}
