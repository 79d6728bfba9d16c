import EntiaDatabase
import EntiaStore

extension Suite {
  /// The costs of a store in addition to those of the database in its state.
  static let store = Suite(
    name: "store", summary: "commits, observers, live queries and undo", bytesPerRow: 2_500,
    cases: storeReadingCases + [
      .storeCommit, .storeField, .storeLayers, .storeObserved, .liveQueries, .liveTop,
      .liveTopUnchanged,
      .derivedRead, .storeUndo, .storeThreads, .storeQueried,
    ])
}

struct BlogState: StateType {
  var blog: Blog
  var selected = 0
}

struct RankedState: StateType {
  var blog: RankedBlog
}

extension Case {
  static let storeCommit = Case(
    "commit of one row, no observers", bars: [.of("batch", 3)]
  ) { stage in
    let store = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    var blog = try stage.blog.get()
    var states = [stage.dictionaryBlog]
    let ids = stage.postIDs
    let keys = stage.keys
    return [
      .commits(Names.entia, to: store, ids),
      .passes("batch", 64, of: ids.count) { places in
        for place in places {
          let old = blog
          try blog.raiseScore(of: ids[place])
          blackHole(old)
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
    let store = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    return [
      .passes(Names.entia, 64, of: stage.size) { places in
        for place in places { store.commit { $0.selected = place } }
        return places.count
      },
      .yardstick(stage),
    ]
  }

  static let storeLayers = Case(
    "commit of one row under 20 layers", note: "each has written another row",
    bars: [.of("no layers", 30)]
  ) { stage in
    let layered = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let plain = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let ids = Array(stage.postIDs.dropFirst(20))
    // Registers the database, so that the store compares the rows of a commit with those of layers.
    _ = layered.entity(ids[0], in: \.blog)
    for id in stage.postIDs.prefix(20) {
      _ = try layered.addLayer { try $0.blog.raiseScore(of: id) }
    }
    return [
      .commits(Names.entia, to: layered, ids),
      .commits("no layers", to: plain, ids),
    ]
  }

  static let storeUndo = Case(
    "undo or redo of one row", note: "by turns", bars: [.of("commit", 2)]
  ) { stage in
    let ids = stage.postIDs
    let undone = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let plain = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    try undone.commit { try $0.blog.raiseScore(of: ids[0]) }
    return [
      .passes(Names.entia, 64, of: ids.count) { places in
        for place in places where !(place & 1 == 0 ? undone.undo() : undone.redo()) { return 0 }
        return places.count
      },
      .commits("commit", to: plain, ids),
    ]
  }
}

extension Contender {
  static func commits(
    _ name: String, to store: Store<BlogState, Never>, _ ids: [Post.EntityID]
  ) -> Contender {
    .passes(name, 64, of: ids.count) { places in
      for place in places { try store.commit { try $0.blog.raiseScore(of: ids[place]) } }
      return places.count
    }
  }
}

extension Blog {
  mutating func raiseScore(of id: Post.EntityID) throws {
    try performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }
}
