#if canImport(SwiftUI)
  import Entia
  import Foundation
  import SwiftUI

  /// The tasks by title. A commit that changes no task of the list does not update it.
  struct TaskList: View {
    let project: Project.EntityID
    @Environment(Store<AppState, Never>.self) private var store
    @StoreQuery(FetchDescriptor<Item>(sortBy: [SortDescriptor(\.title)]), in: \AppState.tasks)
    private var items: [Item]

    var body: some View {
      NavigationStack {
        List {
          TextField("New task", text: store.binding(\.newTitle))
            .onSubmit { store.addItem(to: project) }
          ForEach(items) { item in
            TaskRow(item: store.ref(item.entityID, in: \.tasks))
          }
          .onDelete { offsets in
            let ids = offsets.map { items[$0].entityID }
            store.batch(\.tasks, "Delete") { $0.items.remove(ids) }
          }
        }
        .navigationTitle("Tasks")
        .toolbar {
          Button("Undo") { store.undo() }
          Button("Redo") { store.redo() }
        }
      }
    }
  }

  /// A task. Its pointer writes through to the database, and each change is a step of undo.
  struct TaskRow: View {
    let item: Ref<Item?>

    var body: some View {
      HStack {
        Toggle("Done", isOn: item[\.isDone].binding(default: false))
        TextField("Title", text: item[\.title].binding(default: "", "Rename"))
      }
    }
  }
#endif
