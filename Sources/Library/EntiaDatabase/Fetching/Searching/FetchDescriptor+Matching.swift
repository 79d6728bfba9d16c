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

  /// Whether the result depends on a query of a text index. One changed row may then change the
  /// ranks of other rows and the typos that the query accepts.
  var usesSearch: Bool {
    search != nil || related.contains { $0.usesSearch }
  }
}

/// A query of a text index as a condition of a fetch.
struct SearchCondition<Entity: EntityType>: Sendable {
  private let text: String
  private let path: any AnyKeyPath & Sendable
  private let reader: StoragePath<Indexes.Text<Entity>>

  init<Root>(_ text: String, in path: any KeyPath<Root, Indexes.Text<Entity>> & Sendable) {
    self.text = text
    self.path = path
    reader = StoragePath(path)
  }

  /// A hashable definition. Equal definitions imply equal results.
  var definition: [AnyHashable] { [Array(text.utf8), path as AnyKeyPath] }

  /// Looks up the query in a version. Returns `nil` if the query is empty.
  /// - Parameters:
  ///   - storage: The version.
  ///   - cursor: The cursor after which a page begins.
  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, after cursor: FetchCursor<Entity>? = nil
  ) -> PreparedSearch<Entity>? {
    let index = index(in: storage)
    let finding = TextFinding(text, in: index, rankedBy: known(cursor?.place)?.statistics)
    if finding.isEmpty { return nil }
    var names = TextIndexNames(contents: storage.snapshot.contents, index: index)
    Storage.Contents.visitParts(&names)
    return PreparedSearch(
      finding, name: names.name ?? "a text index", text, after: start(cursor, in: finding))
  }

  /// Returns the entry after which a page begins. Returns `nil` without a cursor, or if the row of
  /// the cursor does not match, for example because the query was changed.
  private func start(
    _ cursor: FetchCursor<Entity>?, in finding: TextFinding<Entity>
  ) -> TopDocuments.Entry? {
    guard let row = cursor?.entity else { return nil }
    let number = finding.number(of: row.entityID)
    if let place = known(cursor?.place) {
      // `number` is greater than `place.number` if the row was inserted again, and may be less if
      // the index was built again. The page begins after the lower number, so that no row is
      // skipped.
      return TopDocuments.Entry(
        document: min(place.number, number ?? place.number), score: place.score)
    }
    // The number of a removed row is not known. The page then begins before all rows with the score
    // of the removed row, because returning some rows twice is better than skipping them.
    return finding.score(of: row).map { TopDocuments.Entry(document: number ?? -1, score: $0) }
  }

  /// Returns the place of a row in the ranking of the search, or `nil` if the search does not find
  /// the row.
  /// - Parameters:
  ///   - row: A row of a page.
  ///   - storage: The version from which the page was fetched.
  ///   - earlier: The place after which the page begins.
  func place(
    of row: Entity, in storage: some NormalizedStorageType, after earlier: SearchPlace<Entity>?
  ) -> SearchPlace<Entity>? {
    let finding = TextFinding(
      text, in: index(in: storage), rankedBy: known(earlier)?.statistics)
    guard let score = finding.score(of: row), let number = finding.number(of: row.entityID) else {
      return nil
    }
    return SearchPlace(
      search: self, statistics: finding.terms.statistics, score: score, number: number)
  }

  /// Returns a place if it belongs to this query, otherwise `nil`.
  private func known(_ place: SearchPlace<Entity>?) -> SearchPlace<Entity>? {
    place?.search == self ? place : nil
  }

  private func index<Storage: NormalizedStorageType>(
    in storage: Storage
  ) -> Indexes.Text<Entity> {
    guard let index = reader.part(in: storage) else {
      preconditionFailure(
        "a fetch from \(TypeName.of(Storage.self)) has a text index of \(TypeName.of(reader.root)): "
          + "name one of this database, as in 'in: \\\(TypeName.of(Storage.self)).…'")
    }
    return index
  }
}

extension SearchCondition: Hashable {
  static func == (a: Self, b: Self) -> Bool { a.definition == b.definition }

  func hash(into hasher: inout Hasher) { hasher.combine(definition) }
}

/// The place of a row in the ranking of a search. Changes of rows do not move the place, because
/// the place contains the score and the number of the row instead of the row itself.
struct SearchPlace<Entity: EntityType>: Hashable, Sendable {
  let search: SearchCondition<Entity>
  /// The statistics of the first page. The rows of all pages are ranked by these statistics.
  let statistics: TextStatistics
  let score: Double
  /// The number of the row, which orders rows with equal scores.
  let number: Int
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
  /// The entry after which a page begins; `nil` to begin with the first match.
  private let start: TopDocuments.Entry?
  private lazy var ids: Set<Entity.EntityID> = {
    var result: Set<Entity.EntityID> = []
    finding.visitRows { number, _ in
      if let id = finding.id(of: number) { result.insert(id) }
    }
    return result
  }()

  fileprivate init(
    _ finding: TextFinding<Entity>, name: String, _ text: String, after start: TopDocuments.Entry?
  ) {
    self.start = start
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
  func candidates(isRanked: Bool, limit: Int?) -> RowCandidates<Entity> {
    var top = TopDocuments(limit: limit ?? .max)
    var count = 0
    let first = isRanked ? start : nil
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
}
