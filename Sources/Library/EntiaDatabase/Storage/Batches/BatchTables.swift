/// The tables of a database inside a batch, by their names.
@frozen
@dynamicMemberLookup
public struct BatchTables<Storage: NormalizedStorageType> {
  @usableFromInline let transaction: BatchTransaction<Storage>

  @inlinable
  init(_ transaction: BatchTransaction<Storage>) { self.transaction = transaction }

  /// A table, for reading and writing.
  @inlinable
  public subscript<Table: TableType>(
    dynamicMember path: PartPath<Storage.Contents, Table>
  ) -> TableEditor<Storage, Table> {
    @inline(__always)
    get { TableEditor(transaction, transaction.contents.part(at: path)) }
    @inline(__always)
    _modify {
      var editor = TableEditor(transaction, transaction.contents.part(at: path))
      yield &editor
    }
  }

  /// A relationship in the current state of the batch.
  @inlinable
  public subscript<Relationship: RelationshipType>(
    dynamicMember path: any KeyPath<Storage.Contents, Relationship> & Sendable
  ) -> Relationship { transaction.contents.pointee[keyPath: path] }

  /// An index in the current state of the batch.
  @inlinable
  public subscript<Index: IndexType>(
    dynamicMember path: any KeyPath<Storage.Contents, Index> & Sendable
  ) -> Index { transaction.contents.pointee[keyPath: path] }
}
