extension NormalizedStorageType {
  /// The tables with the numbers of their rows and the first five of them, and the first held IDs.
  ///
  /// ```
  /// Library
  ///   authors: 1 row
  ///     Author(id: "a1", name: "Ann")
  ///   books: 1000 rows
  ///     …
  ///     … and 995 more
  ///   favorites: 2 IDs
  ///     b1
  ///     b7
  /// ```
  public var description: String {
    var parts = PartLines<Contents>(contents: snapshot.contents)
    Contents.visitParts(&parts)
    return (["\(Self.self)"] + parts.lines.map { "  \($0)" }).joined(separator: "\n")
  }

  /// A mirror of the tables and of the IDs that the user holds.
  public var customMirror: Mirror {
    var parts = PartValues<Contents>(contents: snapshot.contents)
    Contents.visitParts(&parts)
    return Mirror(self, children: parts.values, displayStyle: .struct)
  }
}

/// A line for each table and for each part of held IDs, and for their first elements.
private struct PartLines<Contents: StorageContents>: HeldIDsVisitor {
  let contents: Contents
  var lines: [String] = []

  init(contents: Contents) { self.contents = contents }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let table = contents[keyPath: path]
    add("\(name): \(table.count) \(table.count == 1 ? "row" : "rows")", table, count: table.count)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let ids = Array(contents[keyPath: path])
    add("\(name): \(ids.count) \(ids.count == 1 ? "ID" : "IDs")", ids, count: ids.count)
  }

  private mutating func add(_ title: String, _ elements: some Sequence, count: Int) {
    lines.append(title)
    lines += elements.prefix(5).map { "  \($0)" }
    if count > 5 { lines.append("  … and \(count - 5) more") }
  }
}

/// The parts with their names.
private struct PartValues<Contents: StorageContents>: HeldIDsVisitor {
  let contents: Contents
  var values: [Mirror.Child] = []

  init(contents: Contents) { self.contents = contents }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    values.append((name, contents[keyPath: path]))
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    values.append((name, contents[keyPath: path]))
  }
}
