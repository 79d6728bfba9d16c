extension StorageChangeSet: CustomDebugStringConvertible {
  /// A readable list of the changes with one line for each row: `+` for an inserted row, `-` for
  /// a removed one, `~` for one with changed fields, and `>` for a moved one.
  ///
  /// ```
  /// + Book(id: "b2", title: "Entia")
  /// ~ Book b1: title "Old" -> "New"
  /// - Author(id: "a7", name: "Bob")
  /// ```
  ///
  /// - Complexity: O(changes).
  public var debugDescription: String {
    if isEmpty { return "no changes" }
    var lines = RowLines<Storage>(changes: self)
    Storage.Contents.visitParts(&lines)
    let lists = heldIDs.keys.sorted().compactMap { name in
      heldIDs[name].map { "\(name): \($0.description)" }
    }
    return (lines.lines + lists).joined(separator: "\n")
  }
}

private struct RowLines<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let changes: StorageChangeSet<Storage>
  var lines: [String] = []

  init(changes: StorageChangeSet<Storage>) { self.changes = changes }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let changes = changes.changes(of: Table.Entity.self)
    let type = Table.Entity.entityName
    lines += changes.inserted.map { "+ \($0)" }
    lines += changes.updated.map { "~ \(type) \($0.entityID.raw): \(fields($0.old, $0.new))" }
    lines += changes.removed.map { "- \($0)" }
    lines += changes.moved.map { "> \(type) \($0.entityID.raw)" }
  }

  /// Returns the changed fields, with their old and new values.
  private func fields(_ old: Any, _ new: Any) -> String {
    let pairs = zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children)
    let different = pairs.compactMap { old, new -> String? in
      let (before, after) = (valueText(old.value), valueText(new.value))
      return before == after ? nil : "\(old.label ?? "") \(before) -> \(after)"
    }
    return different.isEmpty ? "\(old) -> \(new)" : different.joined(separator: ", ")
  }
}
