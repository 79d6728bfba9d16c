extension NormalizedStorageType {
  /// This version, on which batches note the rows that they write. Batches on the results do so,
  /// too.
  package var notingWrites: Self {
    var result = self
    result.snapshot = snapshot.noting(NotedRows())
    return result
  }

  /// The rows that batches have written since `notingWrites`; `nil` if this version is not a
  /// result of it.
  package var writtenRows: NotedRows? { snapshot.box.layout.written }

  /// This version, on which batches do not note rows.
  package var withoutWrites: Self {
    if writtenRows == nil { return self }
    var result = self
    result.snapshot = snapshot.noting(nil)
    return result
  }
}
