import Entia

@Entity
struct Project {
  let id: Int
  var name: String
}

@Entity
struct Item {
  let id: Int
  var title: String
  var isDone = false
  let project: Project.EntityID
}

@NormalizedStorage
struct Tasks {
  @Table var projects: Tables.Hash<Project> = .init()
  @Table var items: Tables.Hash<Item> = .init()
  @Index var itemsByTitle: Indexes.Sorted<Item, String> = .init(\.title)
  @Relationship var itemProject: ToOne<Item, Project> = .init(\.project, onDelete: .cascade)
}

struct AppState: StateType {
  var tasks = Tasks()
  var newTitle = ""
}

extension StoreComponentType<AppState, Never> {
  /// Adds a task with the title that the user has typed.
  func addItem(to project: Project.EntityID) {
    commit("Add task") { state in
      let id = (state.tasks.items.map(\.id).max() ?? 0) + 1
      let item = Item(id: id, title: state.newTitle, project: project)
      state.tasks.performBatchUpdates { context in
        if !context.modifying.projects.contains(project) {
          context.modifying.projects.insert(Project(id: project.raw, name: "Home"))
        }
        context.modifying.items.insert(item)
      }
      state.newTitle = ""
    }
  }
}
