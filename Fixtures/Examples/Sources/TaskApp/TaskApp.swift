#if canImport(SwiftUI)
  import Entia
  import SwiftUI

  @main
  struct TaskApp: App {
    @StoreObject private var store = Store<AppState, Never>(initialState: AppState())

    var body: some Scene {
      WindowGroup {
        TaskList(project: 1).environment(store)
      }
    }
  }
#else
  @main
  struct TaskApp {
    static func main() { print("TaskApp needs SwiftUI") }
  }
#endif
