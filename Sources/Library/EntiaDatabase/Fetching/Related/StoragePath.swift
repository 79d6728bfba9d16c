/// The key path of a relationship or an index, in a storage (`\Library.bookAuthor`) or in its
/// contents (`\Library.Contents.bookAuthor`).
struct StoragePath<Part>: Sendable {
  let root: Any.Type
  private let read: @Sendable (Any) -> Part?

  init<Root>(_ path: any KeyPath<Root, Part> & Sendable) {
    root = Root.self
    read = { ($0 as? Root)?[keyPath: path] }
  }

  /// Returns the part in a version, or `nil` when the path belongs to another storage.
  func part<Storage: NormalizedStorageType>(in storage: Storage) -> Part? {
    if root == Storage.self { return read(storage) }
    if root == Storage.Contents.self { return read(storage.snapshot.contents) }
    return nil
  }
}

extension StoragePath where Part: RelationshipType {
  /// Returns the name of a relationship in the storage's declaration.
  static func name<Contents: StorageContents>(
    of relationship: Part, in contents: Contents
  ) -> String {
    var search = RelationshipNames(contents: contents, relationship: relationship)
    Contents.visitParts(&search)
    return search.name ?? TypeName.of(Part.self)
  }
}

/// Looks up the name of a relationship by its type and its key.
private struct RelationshipNames<
  Contents: StorageContents, Wanted: RelationshipType
>: StorageVisitor {
  let contents: Contents
  let relationship: Wanted
  var name: String?

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard self.name == nil, Relationship.self == Wanted.self else { return }
    if key(of: contents[keyPath: path]) == key(of: relationship) { self.name = name }
  }

  private func key(of relationship: some RelationshipType) -> AnyKeyPath? {
    (relationship as? any KeyedRelationship)?.keyPath
  }
}
