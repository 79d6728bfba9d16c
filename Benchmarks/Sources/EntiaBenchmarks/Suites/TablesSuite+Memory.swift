import CBenchmarkSupport
import EntiaDatabase

extension Case {
  /// What a table costs beyond its entities; the rows of their own are shared by all contestants.
  static let bytesPerRow = Case(
    "bytes a row beyond the entity", unit: .bytes, bars: [.absolute(22)]
  ) { stage in
    let posts = stage.data.posts
    return [
      .weigh(Names.entia, posts.count) { Tables.Hash(posts) },
      .weigh(Names.dictionary, posts.count) { Stage.dictionary(posts) },
    ]
  }
}

extension Contender {
  static func weigh<Model>(
    _ name: String, _ rows: Int, _ make: @escaping () -> Model
  ) -> Contender {
    Contender(name, isComparable: false) { run in
      let before = allocated_bytes()
      let model = make()
      let grown = Double(allocated_bytes()) - Double(before)
      withExtendedLifetime(model) {}
      run.record(grown / Double(rows) - Double(MemoryLayout<Post>.stride))
    }
  }
}
