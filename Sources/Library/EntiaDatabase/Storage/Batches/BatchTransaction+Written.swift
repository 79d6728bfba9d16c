// A batch notes the rows that it writes if its first version requests it. Other batches only read
// `isNoting`.
extension BatchTransaction {
  /// Notes a row that is written, even if its value stays the same or the row is missing.
  @usableFromInline
  func noteWrite<Entity: EntityType>(_ id: EntityIdentifier<Entity>) {
    changeWritten { $0.insert(id) }
  }

  /// Notes that any row of a table may be written.
  @usableFromInline
  func noteWrites<Entity: EntityType>(of entity: Entity.Type) {
    changeWritten { $0.insertRows(of: entity) }
  }

  /// Notes that rows of a table are given positions.
  @usableFromInline
  func noteOrder<Entity: EntityType>(of entity: Entity.Type) {
    changeWritten { $0.insertOrder(of: entity) }
  }

  /// Notes that any row may be written.
  func noteAllWrites() { changeWritten { $0.insertAll() } }

  private func changeWritten(_ body: (inout NotedRows) -> Void) {
    guard isNoting, var rows = written.take() ?? base.box.layout.written else { return }
    body(&rows)
    written = rows
  }

  /// Returns the current version of the batch with the noted rows.
  @usableFromInline
  func notingVersion() -> Snapshot<Storage.Contents> {
    if base.box.layout.isUnvalidated, !isUntouched { return Snapshot(unchecked: contents.pointee) }
    let version = isUntouched ? base : Snapshot(unchecked: contents.pointee, after: base)
    return written.map(version.noting) ?? version
  }
}
