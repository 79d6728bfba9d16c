extension StorageChangeSet: CustomStringConvertible, CustomDebugStringConvertible {
  /// The number of changed entities of each changed table by kind of change, with a line for each
  /// of the first 20 changed rows. The number of changed held IDs follows.
  ///
  /// ```
  /// Book: 1 inserted, 1 updated
  ///   + Book(id: "b2", title: "Entia")
  ///   ~ Book b1: title "Old" -> "New"
  /// Author: 1 removed
  ///   - Author(id: "a7", name: "Bob")
  /// ```
  /// - Complexity: O(changed tables); O(changes) for tables with moved rows.
  public var description: String { text { $0.description } }

  /// The number of changed entities by kind of change, with one line for each changed table and
  /// each changed collection of held IDs.
  package var summary: String { text { $0.summary } }

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
    text { $0.lines(limit: .max).joined(separator: "\n") }
  }

  private func text(_ describe: (any AnyTableChanges) -> String) -> String {
    if isEmpty { return "no changes" }
    var names = TableNames<Storage.Contents>()
    Storage.Contents.visitParts(&names)
    let lists = heldIDs.keys.sorted().compactMap { name in
      heldIDs[name].map { "\(name): \($0.summary)" }
    }
    return (names.tables.compactMap { tables[$0.entity].map(describe) } + lists)
      .joined(separator: "\n")
  }
}

/// The tables in the order of their declarations.
struct TableNames<Contents: StorageContents>: StorageVisitor {
  var tables: [(name: String, entity: ObjectIdentifier)] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    tables.append((name, ObjectIdentifier(Table.Entity.self)))
  }
}

extension TableChanges {
  /// The number of entities by kind of change, as in `Book: 2 inserted, 1 removed`.
  @usableFromInline package var summary: String {
    let parts = [
      (inserted.count, "inserted"), (updated.count, "updated"), (removed.count, "removed"),
      (moved.count, "moved"),
    ]
    let named = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(Entity.entityName): \(named.isEmpty ? "no changes" : named.joined(separator: ", "))"
  }

  /// Returns a line for each changed row, up to a limit. If there are more rows, a last line has
  /// the number of the others.
  @usableFromInline
  func lines(limit: Int) -> [String] {
    let moved = moved
    var lines = inserted.prefix(limit).map { "+ \($0)" }
    lines += updated.prefix(limit - lines.count).map {
      "~ \(EntityLabel($0.entityID)): \(changedMembers($0.old, $0.new))"
    }
    lines += removed.prefix(limit - lines.count).map { "- \($0)" }
    lines += moved.prefix(limit - lines.count).map { "> \(EntityLabel($0.entityID))" }
    // Line breaks in values are escaped, so that each row has one line.
    lines = lines.map { line in
      line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .joined(separator: "\\n")
    }
    let others = inserted.count + updated.count + removed.count + moved.count - lines.count
    return others == 0 ? lines : lines + ["… and \(others) more"]
  }

  /// Returns the changed members, with their old and new values.
  private func changedMembers(_ old: Entity, _ new: Entity) -> String {
    let pairs = zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children)
    let different = pairs.compactMap { old, new -> String? in
      let (before, after) = (valueText(old.value), valueText(new.value))
      return before == after ? nil : "\(Mirror.propertyName(of: old) ?? "") \(before) -> \(after)"
    }
    return different.isEmpty ? "\(old) -> \(new)" : different.joined(separator: ", ")
  }
}
