import BenchmarkReport
import EntiaDatabase

extension Case {
  /// Memory is allocated before bytes are copied into it, so the bytes that an operation allocates
  /// are at least those that it copies into new memory.
  static let worstOperation = Case(
    "most bytes allocated by one operation",
    note: "of 1M random inserts and removes, Entia's every other one beside a live version; what "
      + "an operation copies, it allocates first",
    unit: .bytes, bars: [.absolute(65_536)], isCounted: true
  ) { stage in
    // There are no figures if allocations cannot be counted.
    guard Heap.isCounting else { return [] }
    let operations = stage.isSmoke ? 2_000 : 1_000_000
    let posts = stage.posts
    return [
      .worst(Names.entia, posts, operations, { Tables.Hash(posts) }) { table, post, isInsertion in
        let old = post.id & 1 == 0 ? table : nil
        if isInsertion { table.insert(post) } else { table.remove(post.entityID) }
        blackHole(old)
      },
      .worst(Names.dictionary, posts, operations, { Stage.dictionary(posts) }) {
        dictionary, post, isInsertion in
        dictionary[post.id] = isInsertion ? post : nil
      },
    ]
  }
}

extension Contender {
  /// Inserts and removes at random. The number of rows varies between half and twice the initial
  /// number.
  fileprivate static func worst<Model>(
    _ name: String, _ posts: [Post], _ operations: Int, _ make: @escaping () -> Model,
    _ apply: @escaping (inout Model, Post, Bool) -> Void
  ) -> Contender {
    Contender(name, isComparable: false) { run in
      var model = make()
      var present = posts
      present.reserveCapacity(posts.count + operations)
      var generator = SplitMix64(seed: 4)
      var nextID = 1_000_000_000
      let most = Heap.mostBytes(of: operations) { _ in
        let draw = generator.next()
        let place = Int(truncatingIfNeeded: (draw >> 8) % UInt64(present.count))
        let wantsInsertion = draw & 1 == 0
        let isInsertion =
          (wantsInsertion || present.count <= posts.count / 2 || present.count < 2)
          && present.count < 2 * posts.count
        var post = present[place]
        if isInsertion {
          post = Post(
            id: nextID, name: post.name, authorID: post.authorID, views: post.views,
            score: post.score)
          nextID += 1
          present.append(post)
        } else {
          present[place] = present[present.count - 1]
          present.removeLast()
        }
        apply(&model, post, isInsertion)
      }
      blackHole(model)
      run.record(most)
    }
  }
}
