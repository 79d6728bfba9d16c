import Entia

/// The model of the editor's window.
final class OutlineEditor: StoreComponentType {
  let store = Store<EditorState, Never>(initialState: EditorState())

  /// Adds an item under the selected one, and selects it.
  func add(_ text: String) {
    commit("Add") { state in
      let id = (state.outline.items.map(\.id).max() ?? 0) + 1
      state.outline.performBatchUpdates {
        $0.modifying.items.insert(Item(id: id, text: text, parent: state.selection))
      }
      state.selection = .init(id)
    }
  }

  /// Types a letter behind the text of the selected item. The letters of a word are one step.
  func type(_ letter: Character) {
    commit("Type", coalescing: .sameName(within: .seconds(1))) { state in
      guard let selection = state.selection else { return }
      state.outline.performBatchUpdates { $0.modifying.items[selection]?.text.append(letter) }
    }
  }

  /// Moves the selected item before its neighbor.
  func moveUp() {
    commit("Move") { state in
      let items = state.outline.items
      guard let item = state.selection.flatMap({ items.find(by: $0) }),
        let index = items.index(of: item.entityID),
        let neighbor = items.find(at: 0..<index).last(where: { $0.parent == item.parent })
      else { return }
      state.outline.performBatchUpdates {
        $0.modifying.items.move(item.entityID, before: neighbor.entityID)
      }
    }
  }

  /// Removes the selected item with the items under it.
  func remove() {
    commit("Remove") { state in
      guard let selection = state.selection else { return }
      let parent = state.outline.items.find(by: selection)?.parent
      state.outline.performBatchUpdates { $0.modifying.items.remove(selection) }
      state.selection = parent
    }
  }

  /// Selects an item. It is no step: undo does not take it back alone.
  func select(_ id: Item.EntityID?) {
    commit("Select", undo: .none) { $0.selection = id }
  }
}
