import EntiaDatabase
import EntiaStore

extension Suite {
  /// Commits through a store that nobody observes.
  static let store = Suite(
    name: "store", summary: "commits through a store", bytesPerRow: 2_500,
    cases: [.storeCommit, .storeField])
}

private struct AppState: StateType {
  var blog: Blog
  var selected = 0
}

extension Case {
  static let storeCommit = Case("commit of one row, no observers") { stage in
    let store = Store<AppState, Never>(initialState: AppState(blog: try stage.blog.get()))
    var states = [stage.dictionaryBlog]
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .passes(Names.entia, 64, of: ids.count) { places in
        for place in places {
          try store.commit { state in
            try state.blog.performBatchUpdates { context in
              _ = context.modifying.posts.updateIfExists(id: ids[place]) { $0.score &+= 1 }
            }
          }
        }
        return places.count
      },
      .yardstick(stage),
      .passes(Names.dictionary, 1, of: keys.count) { places in
        for place in places {
          let old = states[0]
          states[0].posts.raiseScore(of: keys[place])
          if states[0] == old { return 0 }
        }
        return places.count
      },
    ]
  }

  static let storeField = Case("commit of a field, no observers") { stage in
    let store = Store<AppState, Never>(initialState: AppState(blog: try stage.blog.get()))
    return [
      .passes(Names.entia, 64, of: stage.size) { places in
        for place in places { store.commit { $0.selected = place } }
        return places.count
      },
      .yardstick(stage),
    ]
  }
}
