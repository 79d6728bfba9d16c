import EntiaDatabase

/// The held IDs, ages and answers that a load leaves out of the database, because another program
/// has removed the rows with these IDs.
///
/// The next save or batch deletes them from the file. Otherwise, a row that is inserted later with
/// such an ID would be held in the file, but not in the processes that left out the ID.
struct LeftOutIDs<Contents: StorageContents> {
  /// A closure for each part that lacks something, which replaces the part by that of the file.
  private var replacements: [(inout Contents) -> Void] = []

  /// Finds the IDs.
  /// - Parameters:
  ///   - file: The contents of the file.
  ///   - loaded: The loaded contents.
  ///   - skipped: The IDs of the rows that were skipped. What the file has of them stays there.
  init(of file: Contents, besides loaded: Contents, skipped: Set<AnyHashable>) {
    var search = Search(file: file, loaded: loaded, skipped: skipped)
    Contents.visitParts(&search)
    replacements = search.replacements
  }

  /// Returns the loaded contents with the IDs, in the order of the file.
  func added(to loaded: Contents) -> Contents {
    var contents = loaded
    for replace in replacements { replace(&contents) }
    return contents
  }

  private struct Search: StoredIndexVisitor {
    let file: Contents
    let loaded: Contents
    let skipped: Set<AnyHashable>
    var replacements: [(inout Contents) -> Void] = []

    mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
      let removed = loaded[keyPath: path].differences(from: file[keyPath: path]).removed
      let staying = removed.filter { skipped.contains(AnyHashable($0)) }
      if staying.count == removed.count { return }
      var stored = file[keyPath: path]
      for id in staying { _ = stored.remove(id) }
      replacements.append { [stored] contents in contents[keyPath: path] = stored }
    }

    mutating func freshness<Index: FreshnessIndex>(
      _ name: String, _ path: PartPath<Contents, Index>
    ) {
      var stored = file[keyPath: path]
      if stored.isIdentical(to: loaded[keyPath: path]) { return }
      for id in skipped.lazy.compactMap({ $0.base as? Index.Entity.EntityID }) {
        stored.rowRemoved(id)
      }
      replacements.append { [stored] contents in contents[keyPath: path] = stored }
    }
  }
}
