public import Foundation

extension FetchDescriptor {
  /// Creates a descriptor of the entities that a query of a text index finds.
  ///
  /// ```swift
  /// library.fetch(FetchDescriptor<Book>(matching: "le guin disp", in: \Library.bookText))
  /// store.query(
  ///   FetchDescriptor<Book>(matching: text, in: \Library.bookText, fetchLimit: 20), in: \.library)
  /// ```
  ///
  /// Without a sort, the best match is first, as in `search(_:limit:)` of the index. An empty query
  /// does not restrict the fetch, which is then in the table's order.
  /// - Precondition: The index belongs to the storage that is fetched from.
  /// - Parameters:
  ///   - text: The query, as the user types it.
  ///   - index: The index.
  ///   - predicate: A predicate that the entities must also satisfy.
  ///   - sortBy: The sort of the entities; empty for the best match first.
  ///   - fetchLimit: The maximum number of entities to fetch.
  /// - Complexity: That of the search. A fetch with neither a predicate nor a sort reads only the
  ///   rows that it returns.
  public init<Root>(
    matching text: String, in index: any KeyPath<Root, Indexes.Text<Entity>> & Sendable,
    predicate: Predicate<Entity>? = nil, sortBy: [SortDescriptor<Entity>] = [],
    fetchLimit: Int? = nil
  ) {
    self.init(predicate: predicate, sortBy: sortBy, fetchLimit: fetchLimit)
    search = SearchCondition(text, in: index)
  }

  /// Whether the result depends on a query of a text index, whose ranks and typos depend on all
  /// rows.
  var usesSearch: Bool {
    search != nil || related.contains { $0.usesSearch }
  }
}

/// A query of a text index as a condition of a fetch.
struct SearchCondition<Entity: EntityType>: Sendable {
  private let text: String
  private let path: any AnyKeyPath & Sendable
  private let root: Any.Type
  private let read: @Sendable (Any) -> Indexes.Text<Entity>?

  init<Root>(_ text: String, in path: any KeyPath<Root, Indexes.Text<Entity>> & Sendable) {
    self.text = text
    self.path = path
    root = Root.self
    read = { ($0 as? Root)?[keyPath: path] }
  }

  /// A hashable definition. Equal definitions imply equal results.
  var definition: [AnyHashable] { [Array(text.utf8), path as AnyKeyPath] }

  /// Looks the query up in a version; `nil` if the query is empty.
  func prepare<Storage: NormalizedStorageType>(in storage: Storage) -> PreparedSearch<Entity>? {
    let index =
      root == Storage.self
      ? read(storage) : root == Storage.Contents.self ? read(storage.snapshot.contents) : nil
    guard let index else {
      preconditionFailure(
        "a fetch from \(TypeName.of(Storage.self)) has a text index of \(TypeName.of(root)): "
          + "name one of this database, as in 'in: \\\(TypeName.of(Storage.self)).…'")
    }
    let finding = TextFinding(text, in: index)
    if finding.isEmpty { return nil }
    var names = TextIndexNames(contents: storage.snapshot.contents, index: index)
    Storage.Contents.visitParts(&names)
    return PreparedSearch(finding, name: names.name ?? "a text index", text)
  }
}

/// Looks up the name of a text index among the parts of a database.
private struct TextIndexNames<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let contents: Contents
  let index: Indexes.Text<Entity>
  var name: String?

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard self.name == nil, let other = contents[keyPath: path] as? Indexes.Text<Entity> else {
      return
    }
    if other.isIdentical(to: index) { self.name = name }
  }
}

/// A query in one version, and the rows that it finds.
final class PreparedSearch<Entity: EntityType> {
  private let finding: TextFinding<Entity>
  private let name: String
  private let access: String
  private lazy var ids: Set<Entity.EntityID> = {
    var result: Set<Entity.EntityID> = []
    finding.visitRows { number, _ in
      if let id = finding.id(of: number) { result.insert(id) }
    }
    return result
  }()

  fileprivate init(_ finding: TextFinding<Entity>, name: String, _ text: String) {
    self.finding = finding
    self.name = name
    access = "\(name) (\(valueText(text)))"
  }

  /// Whether the query finds a row.
  func contains(_ id: Entity.EntityID) -> Bool { ids.contains(id) }

  /// Returns the rows that the query finds.
  /// - Parameters:
  ///   - isRanked: Whether the best match is first; otherwise the rows are in insertion order.
  ///   - limit: The maximum number of ranked rows to visit; `nil` for all.
  ///   - start: The row after which a page begins, as it was when the page before was read.
  func candidates(isRanked: Bool, limit: Int?, after start: Entity?) -> RowCandidates<Entity> {
    var top = TopDocuments(limit: limit ?? .max)
    var count = 0
    let first = isRanked ? start.flatMap(position) : nil
    finding.visitRows { number, score in
      count += 1
      let entry = TopDocuments.Entry(document: number, score: score)
      if let first, !TopDocuments.precedes(first, entry) { return }
      top.offer(number, score)
    }
    let entries = isRanked ? top.sorted() : top.entries
    return RowCandidates(
      count: count, names: [name], access: access, isInOrder: isRanked
    ) { [finding] body in
      for entry in entries {
        if let id = finding.id(of: entry.document), !body(id) { return }
      }
    }
  }

  /// Returns the place of a row in the ranking, with the score that its text has in this version;
  /// `nil` if its text does not match, as after the query was changed.
  private func position(of row: Entity) -> TopDocuments.Entry? {
    guard let score = finding.score(of: row) else { return nil }
    // A row that was removed is placed after all with the same score.
    let number = finding.number(of: row.entityID) ?? .max
    return TopDocuments.Entry(document: number, score: score)
  }
}
