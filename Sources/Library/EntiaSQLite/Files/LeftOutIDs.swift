import EntiaDatabase

/// The held IDs in a file that a load leaves out, because another program has removed their rows.
///
/// The next save or batch deletes these IDs. Otherwise, a row that is inserted again would be held
/// in the file, but not by the processes that have left its ID out.
struct LeftOutIDs<Contents: StorageContents> {
  /// A closure for each part that lacks IDs, which inserts them.
  private var insertions: [(inout Contents) -> Void] = []

  /// Finds the IDs.
  /// - Parameters:
  ///   - file: The contents of the file.
  ///   - loaded: The loaded contents.
  ///   - skipped: The IDs of the rows that were skipped. Their held IDs stay in the file.
  init(of file: Contents, besides loaded: Contents, skipped: Set<AnyHashable>) {
    var search = Search(file: file, loaded: loaded, skipped: skipped)
    Contents.visitParts(&search)
    insertions = search.insertions
  }

  /// Returns loaded contents with the IDs. The order of the other held IDs is unchanged.
  func added(to loaded: Contents) -> Contents {
    var contents = loaded
    for insert in insertions { insert(&contents) }
    return contents
  }

  private struct Search: HeldIDsVisitor {
    let file: Contents
    let loaded: Contents
    let skipped: Set<AnyHashable>
    var insertions: [(inout Contents) -> Void] = []

    mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
      let ids = loaded[keyPath: path].differences(from: file[keyPath: path]).removed
        .filter { !skipped.contains(AnyHashable($0)) }
      if ids.isEmpty { return }
      insertions.append { contents in
        for id in ids { contents[keyPath: path].insert(id) }
      }
    }
  }
}
