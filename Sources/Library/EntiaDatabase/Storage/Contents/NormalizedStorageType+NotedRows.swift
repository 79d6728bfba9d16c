extension NormalizedStorageType {
  /// A copy of this version on which batches note the rows that they write. Batches on the
  /// resulting versions note rows, too.
  package var notingWrites: Self {
    var result = self
    result.snapshot = snapshot.noting(NotedRows())
    return result
  }

  /// The rows that batches have written since `notingWrites` was called; `nil` if this version does
  /// not result from a version that `notingWrites` returned.
  package var writtenRows: NotedRows? { snapshot.box.layout.written }

  /// A copy of this version on which batches do not note rows.
  package var withoutWrites: Self {
    if writtenRows == nil { return self }
    var result = self
    result.snapshot = snapshot.noting(nil)
    return result
  }
}
