import EntiaDatabase
import EntiaStore

extension Suite {
  static let storeReadingCases: [Case] = [.stateFind, .partFind]
}

extension Case {
  static let stateFind = Case(
    "find in the state of a store", note: "store.state.blog.posts",
    bars: [.of(inProperty, 1, plus: 25)]
  ) { stage in
    let store = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let ids = stage.postIDs
    return [
      .passes(Names.entia, 20_000, of: ids.count) { sumOfStateScores(store, ids, $0) },
      try .held(stage),
    ]
  }

  static let partFind = Case(
    "find in a part of a store", note: "store.blog.posts", bars: [.of(inProperty, 1, plus: 40)]
  ) { stage in
    let store = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let ids = stage.postIDs
    return [
      .passes(Names.entia, 20_000, of: ids.count) { sumOfPartScores(store, ids, $0) },
      try .held(stage),
    ]
  }

  fileprivate static let inProperty = "in a property"
}

/// An object that holds a database in a property, as an app without a store does.
final class BlogShelf {
  fileprivate(set) var blog: Blog

  init(_ blog: Blog) { self.blog = blog }
}

extension Contender {
  fileprivate static func held(_ stage: Stage) throws -> Contender {
    let shelf = BlogShelf(try stage.blog.get())
    let ids = stage.postIDs
    return .passes(Case.inProperty, 20_000, of: ids.count) { sumOfShelfScores(shelf, ids, $0) }
  }
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func sumOfShelfScores(_ shelf: BlogShelf, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places { sum &+= shelf.blog.posts.find(by: ids[place])?.score ?? 1 }
  return sum
}

@inline(never)
func sumOfStateScores(
  _ store: Store<BlogState, Never>, _ ids: [Post.EntityID], _ places: Range<Int>
) -> Int {
  var sum = 0
  for place in places { sum &+= store.state.blog.posts.find(by: ids[place])?.score ?? 1 }
  return sum
}

@inline(never)
func sumOfPartScores(
  _ store: Store<BlogState, Never>, _ ids: [Post.EntityID], _ places: Range<Int>
) -> Int {
  var sum = 0
  for place in places { sum &+= store.blog.posts.find(by: ids[place])?.score ?? 1 }
  return sum
}
