import Entia

/// Prints the items under a parent, the deeper the further to the right.
@MainActor
func show(_ state: EditorState, under parent: Item.EntityID? = nil, indent: String = "") {
  for item in state.outline.items where item.parent == parent {
    print(item.entityID == state.selection ? ">" : " ", indent + item.text, "(\(item.id))")
    show(state, under: item.entityID, indent: indent + "  ")
  }
}

let usage = "add TEXT, type TEXT, select ID, top, up, remove, undo, redo, steps"
let editor = OutlineEditor()

while let line = readLine() {
  print("--", line)
  let words = line.split(separator: " ", maxSplits: 1).map(String.init)
  let argument = words.count == 2 ? words[1] : ""
  switch words.first {
  case "add": editor.add(argument)
  case "type": for letter in argument { editor.type(letter) }
  case "select": editor.select(Int(argument).map { .init($0) })
  case "top": editor.select(nil)
  case "up": editor.moveUp()
  case "remove": editor.remove()
  case "undo": editor.undo()
  case "redo": editor.redo()
  case "steps": print(editor.undoNames.compactMap { $0 }.joined(separator: ", "))
  default: print(usage)
  }
  show(editor.state)
}
