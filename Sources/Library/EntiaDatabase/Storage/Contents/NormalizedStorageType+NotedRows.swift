extension NormalizedStorageType {
  /// A copy of this version with tracking of writes. Batches on the copy record the rows that they
  /// write, and so do batches on the resulting versions.
  package var notingWrites: Self {
    var result = self
    result.snapshot = snapshot.noting(NotedRows())
    return result
  }

  /// The rows that batches have written since `notingWrites` was called; `nil` if this version does
  /// not result from a version that `notingWrites` returned.
  package var writtenRows: NotedRows? { snapshot.box.layout.written }

  /// A copy of this version on which batches do not track writes.
  package var withoutWrites: Self {
    if writtenRows == nil { return self }
    var result = self
    result.snapshot = snapshot.noting(nil)
    return result
  }
}
