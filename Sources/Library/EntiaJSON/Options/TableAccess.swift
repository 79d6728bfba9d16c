import EntiaDatabase

/// Access to a table of a storage by its entity type, independent of the table's type.
final class TableAccess<Storage: NormalizedStorageType, Entity: EntityType> {
  let name: String
  let find: (Storage, Entity.EntityID) -> Entity?
  let rows: (Storage) -> [Entity]

  init<Table: TableType<Entity>>(
    _ name: String, _ path: PartPath<Storage.Contents, Table>
  ) {
    self.name = name
    find = { $0.snapshot.contents[keyPath: path].find(by: $1) }
    rows = { Array($0.snapshot.contents[keyPath: path]) }
  }
}

/// A visitor of all tables of a storage.
protocol TableAccessVisitor<Storage> {
  associatedtype Storage: NormalizedStorageType
  mutating func visit<Entity: EntityType>(_ access: TableAccess<Storage, Entity>)
}

/// Calls a visitor for each table of a storage.
struct TableAccessWalk<Visitor: TableAccessVisitor>: StorageVisitor {
  typealias Contents = Visitor.Storage.Contents
  var visitor: Visitor

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    visitor.visit(TableAccess<Visitor.Storage, Table.Entity>(name, path))
  }
}

/// The types of properties that refer to entities.
protocol ReferenceType {}

extension EntityIdentifier: ReferenceType {}
extension Optional: ReferenceType where Wrapped: ReferenceType {}
extension Array: ReferenceType where Element: ReferenceType {}
extension Set: ReferenceType where Element: ReferenceType {}
