import Foundation

/// An order by a field of a related entity.
protocol RelatedSort<Entity>: Sendable {
  associatedtype Entity: EntityType

  /// The type of the related entity.
  var relatedEntity: ObjectIdentifier { get }

  /// Returns the comparison of rows in one version, or `nil` if the version does not have the
  /// relationship.
  func comparison<Storage: NormalizedStorageType>(in storage: Storage) -> RowComparison?
}

/// The order by a field of the entity that a key references.
struct TargetSort<Entity: EntityType, Target: EntityType>: RelatedSort {
  private let path: JoinPath<ToOne<Entity, Target>>
  /// The only element is the sort. It is in an array because a struct that stores a
  /// `SortDescriptor` directly does not link in optimized builds on Linux, where Foundation does
  /// not export the type of one of its members.
  private let sort: [SortDescriptor<Target>]

  init(path: JoinPath<ToOne<Entity, Target>>, sort: SortDescriptor<Target>) {
    self.path = path
    self.sort = [sort]
  }

  var relatedEntity: ObjectIdentifier { ObjectIdentifier(Target.self) }

  func comparison<Storage: NormalizedStorageType>(in storage: Storage) -> RowComparison? {
    guard let sort = sort.first, let relationship = path.relationship(in: storage),
      let table = storage.snapshot.table(of: Target.self)
    else { return nil }
    let compare = sort.rowComparison
    let isReversed = sort.order == .reverse
    func target(_ row: UnsafeRawPointer) -> UnsafeRawPointer? {
      relationship.targetID(of: row.assumingMemoryBound(to: Entity.self).pointee)
        .flatMap { table.row(of: $0)?.row }
    }
    return { first, second in
      switch (target(first), target(second)) {
      case (nil, nil): 0
      case (nil, _): isReversed ? 1 : -1
      case (_, nil): isReversed ? -1 : 1
      case (let a?, let b?): compare(a, b)
      }
    }
  }
}

/// The key path of a relationship, in a storage (`\Library.bookAuthor`) or in its contents
/// (`\Library.Contents.bookAuthor`).
struct JoinPath<Relationship: RelationshipType>: Sendable {
  private let root: Any.Type
  private let read: @Sendable (Any) -> Relationship?

  init<Root>(_ path: any KeyPath<Root, Relationship> & Sendable) {
    root = Root.self
    read = { ($0 as? Root)?[keyPath: path] }
  }

  /// Returns the relationship in a version, or `nil` when the path belongs to another storage.
  func relationship<Storage: NormalizedStorageType>(in storage: Storage) -> Relationship? {
    if root == Storage.self { return read(storage) }
    if root == Storage.Contents.self { return read(storage.snapshot.contents) }
    return nil
  }

  /// Returns the name of a relationship in the storage's declaration.
  static func name<Contents: StorageContents>(
    of relationship: Relationship, in contents: Contents
  ) -> String {
    var search = RelationshipNames(contents: contents, relationship: relationship)
    Contents.visitParts(&search)
    return search.name ?? TypeName.of(Relationship.self)
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
