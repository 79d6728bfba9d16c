import BenchmarkReport
import EntiaDatabase

extension Suite {
  static let memoryCases: [Case] = [
    .bytesPerRow, .bytesPerStringRow, .peakBytes, .bytesPerVersion, .emptyBytes, .smallBytes,
    .worstOperation,
  ]
}

extension Case {
  static let bytesPerRow = Case(
    "bytes a row beyond the entity", unit: .bytes, bars: [.absolute(22)], isCounted: true
  ) { stage in
    let posts = stage.posts
    let entity = MemoryLayout<Post>.stride
    return [
      .bytes(Names.entia, of: posts.count, less: entity) { Tables.Hash(posts) },
      .bytes(Names.dictionary, of: posts.count, less: entity) { Stage.dictionary(posts) },
    ]
  }

  static let bytesPerStringRow = Case(
    "bytes a row beyond the entity, string IDs", note: "the hash that the ID keeps counts, 8 bytes",
    unit: .bytes, bars: [.absolute(30)], isCounted: true
  ) { stage in
    let pages = stage.pages
    let entity = MemoryLayout<Page>.stride - MemoryLayout<UInt64>.size
    return [
      .bytes(Names.entia, of: pages.count, less: entity) { Tables.Hash(pages) },
      .bytes(Names.dictionary, of: pages.count, less: entity) { Stage.dictionary(pages) },
    ]
  }

  static let peakBytes = Case(
    "peak bytes a row while inserting", note: "one by one, nothing reserved; the entity included",
    unit: .bytes, isCounted: true
  ) { stage in
    let posts = stage.posts
    return [
      .bytes(Names.entia, of: posts.count, atPeak: true) {
        var table = Tables.Hash<Post>()
        for post in posts { table.insert(post) }
        return table
      },
      .bytes(Names.dictionary, of: posts.count, atPeak: true) { Stage.dictionary(posts) },
      .bytes(Names.array, of: posts.count, atPeak: true) {
        var array: [Post] = []
        for post in posts { array.append(post) }
        return array
      },
    ]
  }

  static let bytesPerVersion = Case(
    "bytes a kept version", note: "each differs from the one before by one updated row",
    unit: .bytes, isCounted: true
  ) { stage in
    let table = stage.table
    let dictionary = stage.dictionary
    let array = stage.posts
    let keys = stage.keys.prefix(100)
    // A version of these is a complete copy, so a few versions suffice.
    let few = keys.prefix(2)
    return [
      .bytes(Names.entia, of: keys.count) {
        versions(of: table, keys) { $0.updateIfExists(id: Post.EntityID($1)) { $0.score &+= 1 } }
      },
      .bytes(Names.dictionary, of: few.count) {
        versions(of: dictionary, few) { $0.raiseScore(of: $1) }
      },
      .bytes(Names.array, of: few.count) {
        versions(of: array, few) { $0[$1 - 1].score &+= 1 }
      },
    ]
  }

  static let emptyBytes = Case(
    "bytes of an empty table", note: "its own and those on the heap", unit: .bytes,
    bars: [.absolute(64)], isScaled: false, isCounted: true
  ) { _ in
    [
      .bytes(Names.entia, own: MemoryLayout<Tables.Hash<Post>>.size) { Tables.Hash<Post>() },
      .bytes(Names.dictionary, own: MemoryLayout<[Int: Post]>.size) { [Int: Post]() },
      .bytes(Names.array, own: MemoryLayout<[Post]>.size) { [Post]() },
    ]
  }

  static let smallBytes = Case(
    "bytes of a table of 10 rows", note: "its own and those on the heap", unit: .bytes,
    bars: [.of(Names.array, 2, plus: 256)], isScaled: false, isCounted: true
  ) { _ in
    let posts = BlogData.posts(10)
    return [
      .bytes(Names.entia, own: MemoryLayout<Tables.Hash<Post>>.size) { Tables.Hash(posts) },
      .bytes(Names.array, own: MemoryLayout<[Post]>.size) { posts.map { $0 } },
      .bytes(Names.dictionary, own: MemoryLayout<[Int: Post]>.size) { Stage.dictionary(posts) },
    ]
  }
}

/// Returns the versions after each change, all of which are kept.
private func versions<Model>(
  of model: Model, _ keys: ArraySlice<Int>, _ change: (inout Model, Int) -> Void
) -> [Model] {
  var versions: [Model] = []
  versions.reserveCapacity(keys.count)
  var current = model
  for key in keys {
    change(&current, key)
    versions.append(current)
  }
  return versions
}

extension Contender {
  /// Measures the heap bytes that a model retains for each of its rows.
  static func bytes<Model>(
    _ name: String, of rows: Int = 1, own: Int = 0, less entity: Int = 0, atPeak: Bool = false,
    _ make: @escaping () -> Model
  ) -> Contender {
    Contender(name, isComparable: false) { run in
      let heap = Heap.weigh(make)
      let bytes = atPeak ? heap.peak : heap.kept
      run.record(Double(own) + bytes / Double(rows) - Double(entity))
    }
  }
}
