import EntiaCollections

extension Indexes {
  /// An index of the parts of a string field, for predicates with `contains`.
  ///
  /// ```swift
  /// @Index var titleParts: Indexes.Substring<Book> = .init(\.title)
  ///
  /// library.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title.contains("isposs") }))
  /// library.titleParts.ids(containing: "isposs")
  /// ```
  ///
  /// For each three adjacent characters, the index stores which rows contain them. A shorter part
  /// is searched for in every row. On Apple's platforms, the index also serves
  /// `localizedStandardContains` of a predicate, for parts in Latin, Cyrillic and Chinese letters.
  public struct Substring<Entity: EntityType>: Sendable {
    @usableFromInline let field: TextField<Entity>
    private let isOptional: Bool
    @usableFromInline var rows = RowNumbers<Entity.EntityID>()
    @usableFromInline var pieces = TextPieces()

    /// Creates an index of a field.
    /// - Parameter path: The field: a string or an optional string.
    @inlinable
    public init<Field: IndexedText>(_ path: any KeyPath<Entity, Field> & Sendable) {
      self.init(TextField(path), isOptional: Field.self != String.self)
    }

    @usableFromInline
    init(_ field: TextField<Entity>, isOptional: Bool) {
      self.field = field
      self.isOptional = isOptional
    }

    /// The number of rows.
    /// - Complexity: O(1).
    package var count: Int { rows.count }

    /// Returns the IDs of the rows whose field contains a text, as `contains` of a string does:
    /// with the same case and the same diacritics.
    /// - Parameter part: The text. An empty one is in every row that has the field.
    /// - Returns: The IDs, in the order in which the rows were inserted.
    /// - Complexity: O(*k*) in the number of rows that contain the rarest three characters of the
    ///   text; O(*n*) for a text with less than three characters.
    public func ids(containing part: String) -> [Entity.EntityID] {
      let found = pieces.rows(containing: part) ?? pieces.scan(for: part)
      return found.compactMap { rows.id(of: $0) }
    }
  }
}

extension Indexes.Substring: IndexType, RebuildableIndex {
  /// The indexed field, and the rows that have it.
  public var traits: IndexTraits<Entity> {
    IndexTraits(
      fields: [IndexField(path: field.path)], coverage: isOptional ? .rowsWithKey : .allRows)
  }

  /// Updates the index for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(*k* · log *n*) for *k* characters; no update when the text is the same.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    switch (old, new) {
    case (nil, nil): return
    case (nil, let new?): pieces.insert(rows.insert(new.entityID), field.read(new))
    case (let old?, nil):
      guard let number = rows.remove(old.entityID) else { return }
      pieces.remove(number)
    case (let old?, let new?):
      if field.isSame(in: old, new) { return }
      guard let number = rows.number(of: old.entityID) else { return }
      pieces.replace(number, by: field.read(new))
    }
  }

  /// Rebuilds the index from rows, regardless of its contents.
  /// - Parameter visitRows: Calls its closure with every row.
  /// - Complexity: O(*n* log *n*) in the number of characters.
  @inlinable
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    var builder = TextPiecesBuilder()
    var numbers = RowNumbers<Entity.EntityID>()
    visitRows { row in builder.append(numbers.insert(row.entityID), field.read(row)) }
    rows = numbers
    pieces = builder.finish()
  }

  /// Returns the differences between this index and the same index built from every row. Each text
  /// or piece of a row that only one of the two indexes contains is a mismatch.
  /// - Complexity: O(*n*) in the number of characters.
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    IndexMismatch.between(entries, rebuilt.entries)
  }

  /// For each text, the rows that have the text. For each piece, the rows that contain the piece.
  private var entries: [(HashedKey<String>, [Entity.EntityID])] {
    var result: [String: [Entity.EntityID]] = [:]
    pieces.visit { text, number in
      if let id = rows.id(of: number) { result[text, default: []].append(id) }
    }
    return result.map { (HashedKey($0.key), $0.value) }
  }
}
