import EntiaDatabase

extension Case {
  static let inverse = Case(
    "an author's posts, a post", note: "authors who wrote 5 to 20",
    bars: [.of(Names.array, (1.4, 1.4, 1.3))]
  ) { stage in
    let blog = try stage.blog.get()
    let writers = try stage.usualWriters
    let authors = writers.map(\.author)
    let lists = writers.map(\.posts)
    let plain = stage.dictionaryBlog
    let keys = authors.map(\.raw)
    let keyLists = Dictionary(uniqueKeysWithValues: zip(keys, lists.map { $0.map(\.raw) }))
    return [
      .lists(Names.entia, lists) { sumOfPosts(blog, authors, $0) },
      .lists(Names.array, lists) { sumOfLists(blog.posts, lists, $0) },
      .lists(Names.dictionary, lists) { places in
        var sum = 0
        for place in places {
          for key in keyLists[keys[place]] ?? [] { sum &+= plain.posts[key]?.score ?? 0 }
        }
        return sum
      },
    ]
  }

  static let inverseOfMany = Case(
    "all posts of the busiest author, a post", bars: [.of(Names.array, 1.5)]
  ) { stage in
    let blog = try stage.blog.get()
    let author = Author.EntityID(1)
    let lists = [blog.view(of: author)?[inverse: \.postAuthor].ids ?? []]
    return [
      .lists(Names.entia, lists) { sumOfPosts(blog, [author], $0) },
      .lists(Names.array, lists) { sumOfLists(blog.posts, lists, $0) },
    ]
  }
}

extension Contender {
  /// Visits lists pass by pass. An element of a list counts as one operation.
  fileprivate static func lists(
    _ name: String, _ lists: [[Post.EntityID]], _ pass: @escaping (Range<Int>) -> Int
  ) -> Contender {
    var window = Window(2_000, of: lists.count)
    var checkWindow = Window(Run.checkedOperations, of: lists.count)
    return Contender(name) { run in
      while run.wantsMore {
        let places = run.isCheck ? checkWindow.next(run) : window.next(run)
        let elements = places.reduce(0) { $0 + lists[$1].count }
        let laps = run.isCheck ? 1 : max(1, 20_000 / max(1, elements))
        run.measure(max(1, elements * laps)) {
          var found = 0
          for _ in 0..<laps { found &+= pass(places) }
          return found
        }
      }
    }
  }
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func sumOfPosts(_ blog: Blog, _ ids: [Author.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places {
    guard let author = blog.view(of: ids[place]) else { continue }
    for post in author[inverse: \.postAuthor] { sum &+= post.entity.score }
  }
  return sum
}

@inline(never)
func sumOfLists(
  _ posts: Tables.Hash<Post>, _ lists: [[Post.EntityID]], _ places: Range<Int>
) -> Int {
  var sum = 0
  for place in places {
    for id in lists[place] { sum &+= posts.find(by: id)?.score ?? 0 }
  }
  return sum
}
