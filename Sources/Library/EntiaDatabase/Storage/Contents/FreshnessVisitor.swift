import EntiaCollections

/// A visitor that visits only those indexes that record how rows were received.
package protocol FreshnessVisitor: StorageVisitor {
  /// Visits an index that records times or answers of received rows.
  mutating func freshness<Index: FreshnessIndex>(_ name: String, _ path: PartPath<Contents, Index>)
}

extension FreshnessVisitor {
  /// Visits the index if its type is a `FreshnessIndex`.
  package mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard let type = Index.self as? any FreshnessIndex.Type else { return }
    func visit<Fresh: FreshnessIndex>(_ type: Fresh.Type) {
      freshness(name, recast(path, as: PartPath<Contents, Fresh>.self))
    }
    visit(type)
  }
}

/// A visitor of the indexes that are stored instead of derived from the rows.
package protocol StoredIndexVisitor: HeldIDsVisitor, FreshnessVisitor {}

extension StoredIndexVisitor {
  /// Visits the index if its type is a `HeldIDs` or a `FreshnessIndex`.
  package mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    func visit<IDs: HeldIDs>(_ type: IDs.Type) {
      heldIDs(name, recast(path, as: PartPath<Contents, IDs>.self))
    }
    func visit<Fresh: FreshnessIndex>(fresh type: Fresh.Type) {
      freshness(name, recast(path, as: PartPath<Contents, Fresh>.self))
    }
    if let type = Index.self as? any HeldIDs.Type { visit(type) }
    if let type = Index.self as? any FreshnessIndex.Type { visit(fresh: type) }
  }
}

extension StorageContents {
  /// Whether both contents share the storage of all times and answers of received rows.
  @usableFromInline
  func hasIdenticalFreshness(_ other: Self) -> Bool {
    var comparison = FreshnessComparison(a: self, b: other)
    Self.visitParts(&comparison)
    return comparison.isSame
  }
}

private struct FreshnessComparison<Contents: StorageContents>: FreshnessVisitor {
  let a: Contents
  let b: Contents
  /// Whether entries in different storage are compared, too.
  var comparesEntries = false
  var isSame = true

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    guard isSame else { return }
    let (a, b) = (a[keyPath: path], b[keyPath: path])
    isSame =
      a.isIdentical(to: b) || comparesEntries && a.entries.placements(from: b.entries).isEmpty
  }
}

extension NormalizedStorageType {
  /// Whether both databases share the storage of all times and answers of received rows. `==` does
  /// not compare times and answers of received rows.
  /// - Complexity: O(parts).
  package func hasIdenticalFreshness(_ other: Self) -> Bool {
    if snapshot.isIdentical(to: other.snapshot) || !snapshot.box.layout.hasFreshness { return true }
    return snapshot.contents.hasIdenticalFreshness(other.snapshot.contents)
  }

  /// Whether both databases have equal times and answers of received rows, which `==` does not
  /// compare.
  /// - Complexity: O(parts + differences · log *n*) between versions of one history.
  package func hasSameFreshness(_ other: Self) -> Bool {
    if snapshot.isIdentical(to: other.snapshot) || !snapshot.box.layout.hasFreshness { return true }
    var comparison = FreshnessComparison(
      a: snapshot.contents, b: other.snapshot.contents, comparesEntries: true)
    Contents.visitParts(&comparison)
    return comparison.isSame
  }

  /// Whether databases of this type record how their rows were received.
  package var hasFreshness: Bool { snapshot.box.layout.hasFreshness }
}

extension StorageContents {
  /// Returns the key path of the only index that has the answers to requests of the type `Request`
  /// with entities of the type `Entity`.
  ///
  /// Stops the process with a message if the database has no such index. Also stops the process if
  /// there are several, because it is not clear which one the program means. No data can cause
  /// this.
  package static func answersPath<Request, Entity>(
    to request: Request.Type, of entity: Entity.Type
  ) -> PartPath<Self, Indexes.Responses<Request, Entity>> {
    let search = AnswerSearch<Self, Request, Entity>.found
    guard search.paths.count == 1 else {
      preconditionFailure(search.message)
    }
    return search.paths[0]
  }
}

/// Finds the indexes that have the answers to requests of the type `Request` with entities of the
/// type `Entity`.
struct AnswerSearch<
  Contents: StorageContents, Request: Hashable & Codable & Sendable, Entity: EntityType
>: StorageVisitor {
  private(set) var paths: [PartPath<Contents, Indexes.Responses<Request, Entity>>] = []
  private var names: [String] = []

  static var found: Self {
    var search = Self()
    Contents.visitParts(&search)
    return search
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.self == Indexes.Responses<Request, Entity>.self else { return }
    names.append(name)
    paths.append(
      recast(path, as: PartPath<Contents, Indexes.Responses<Request, Entity>>.self))
  }

  /// The reason why there is not exactly one index.
  var message: String {
    let type = "Indexes.Responses<\(Request.self), \(Entity.entityName)>"
    let storage = TypeName.ofStorage(of: Contents.self)
    return names.isEmpty
      ? "\(storage) has no \(type); add an index, as in '@Index var answers: \(type) = .init()'"
      : "\(storage) has \(names.count) parts of type \(type): \(names.joined(separator: ", ")); an "
        + "answer needs exactly one"
  }
}

extension NormalizedStorageType {
  /// Returns the only index that has the answers to requests of the type `Request` with entities of
  /// the type `Entity`.
  package func answers<Request, Entity>(
    to request: Request.Type, of entity: Entity.Type
  ) -> Indexes.Responses<Request, Entity> {
    snapshot.contents[keyPath: Contents.answersPath(to: request, of: entity)]
  }
}
