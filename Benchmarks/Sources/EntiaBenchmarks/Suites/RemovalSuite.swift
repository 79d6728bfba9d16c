import EntiaDatabase

extension Suite {
  /// Removals of rows beside insertions of the same rows, with every kind of index and relationship.
  static let removal = Suite(
    name: "removal", summary: "removals beside insertions, by indexes and relationships",
    bytesPerRow: 2_000,
    cases: [
      .removal("the table alone", PlainDrafts.self),
      .removal("the table alone", PlainDrafts.self, by: 1),
      .removal("the table alone", PlainDrafts.self, by: 10),
      .removal("three indexes and two relationships", IndexedDrafts.self),
      .removal("three indexes and two relationships", IndexedDrafts.self, by: 1),
      .removal("three indexes and two relationships", IndexedDrafts.self, by: 10),
      .removal("a sorted index", SortedDrafts.self),
      .removal("a sorted index", SortedDrafts.self, by: 1),
      .removal("a sorted index", SortedDrafts.self, by: 10),
      .removal("a sorted index of two fields", RankedDrafts.self),
      .removal("a sorted index of two fields", RankedDrafts.self, by: 1),
      .removal("a sorted index of two fields", RankedDrafts.self, by: 10),
      .removal("a hash index", HashedDrafts.self),
      .removal("a hash index", HashedDrafts.self, by: 1),
      .removal("a hash index", HashedDrafts.self, by: 10),
      .removal("groups", GroupedDrafts.self), .removal("groups", GroupedDrafts.self, by: 1),
      .removal("groups", GroupedDrafts.self, by: 10),
      .removal("a unique key", UniqueDrafts.self),
      .removal("a unique key", UniqueDrafts.self, by: 1),
      .removal("a unique key", UniqueDrafts.self, by: 10),
      .removal("a to-one relationship", AuthoredDrafts.self),
      .removal("a to-one relationship", AuthoredDrafts.self, by: 1),
      .removal("a to-one relationship", AuthoredDrafts.self, by: 10),
      .removal("a to-many relationship", EditedDrafts.self),
      .removal("a to-many relationship", EditedDrafts.self, by: 1),
      .removal("a to-many relationship", EditedDrafts.self, by: 10),
      .removal("a list of held IDs", HeldDrafts.self),
      .removal("a list of held IDs", HeldDrafts.self, by: 1),
      .removal("a list of held IDs", HeldDrafts.self, by: 10),
      .removal("a set of held IDs", MarkedDrafts.self),
      .removal("a set of held IDs", MarkedDrafts.self, by: 1),
      .removal("a set of held IDs", MarkedDrafts.self, by: 10),
    ])
}

extension Case {
  /// Removes four of five rows in a shuffled order, and compares it with inserting them.
  /// - Parameters:
  ///   - part: The part of the storage that changes with the rows.
  ///   - count: `nil` for one batch, 1 for a batch for each of 1,000 rows, and otherwise the number
  ///     of rows of a small database.
  fileprivate static func removal<Storage: DraftStorage>(
    _ part: String, _ type: Storage.Type, by count: Int? = nil
  ) -> Case {
    let isSingle = count == 1
    let smallSize = isSingle ? nil : count
    let batch = isSingle ? "a batch for each row" : smallSize.map { "\($0) rows" } ?? "one batch"
    return Case(
      "remove with \(part), \(batch), a row",
      note: isSingle ? "at most 1,000 rows" : "four of five rows",
      bars: [.of(insertion, 2)], isScaled: smallSize == nil
    ) { stage in
      let drafts = stage.postIDs.prefix(smallSize ?? stage.size).map {
        Draft(stage.posts[$0.raw - 1], authorCount: stage.authors.count)
      }
      let mostRemoved = max(1, drafts.count * 4 / 5)
      let changed = isSingle ? min(mostRemoved, 1_000) : mostRemoved
      let step = isSingle ? 1 : changed
      let (staying, inserted) = (drafts.dropLast(changed), drafts.suffix(changed))
      let ids = inserted.map(\.entityID)
      let withStaying: () throws -> Storage = {
        var storage = Storage()
        try storage.performBatchUpdates { Storage.insert(staying, &$0) }
        return storage
      }
      let insertRest: (inout Storage) throws -> Int = { storage in
        for start in stride(from: inserted.startIndex, to: inserted.endIndex, by: step) {
          try storage.performBatchUpdates {
            Storage.insert(inserted[start..<start + step], &$0)
          }
        }
        return changed
      }
      let withAll: () throws -> Storage = {
        var storage = try withStaying()
        _ = try insertRest(&storage)
        return storage
      }
      let removeRest: (inout Storage) throws -> Int = { storage in
        for start in stride(from: 0, to: changed, by: step) {
          try storage.performBatchUpdates { Storage.remove(ids[start..<start + step], &$0) }
        }
        return changed
      }
      return [
        .change(Names.entia, changed, withAll, removeRest),
        .change(insertion, changed, withStaying, insertRest),
      ]
    }
  }

  private static let insertion = "insertion"
}

// The hot loops, as separate functions so that their machine code is easy to find.

@inline(never)
func removeIndexedDrafts(
  _ context: inout BatchContext<IndexedDrafts>, _ ids: ArraySlice<Draft.EntityID>
) { context.modifying.drafts.remove(ids) }

@inline(never)
func removeRankedDrafts(
  _ context: inout BatchContext<RankedDrafts>, _ ids: ArraySlice<Draft.EntityID>
) {
  // One by one: the compiler would merge this function with the one above.
  for id in ids { context.modifying.drafts.remove(id) }
}
