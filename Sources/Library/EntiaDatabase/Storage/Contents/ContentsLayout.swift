/// The layout of a database's contents: the byte offsets of its tables and relationships, in the
/// order of its parts, and the kinds of rules to check.
///
/// The key path of a part also contains the offset of the part, but reading the offset from the key
/// path takes longer than finding a row. The layout is computed once for a database and shared by
/// all its versions.
@usableFromInline
final class ContentsLayout: @unchecked Sendable {
  // `Sendable` is unchecked because of these pointers. Their memory is written once, by the
  // initializer. It is only read while the object is retained, and is freed with it.
  @usableFromInline let tables: UnsafeMutablePointer<Int>
  @usableFromInline let relationships: UnsafeMutablePointer<Int>
  /// The byte ranges on which relationships and indexes depend.
  @usableFromInline let keys: StoredKeys
  /// Whether a relationship limits the number of references or of holders.
  @usableFromInline let hasLimits: Bool
  /// Whether the database has unique keys, required references or checks.
  @usableFromInline let hasConstraints: Bool
  /// Whether the database has parts that hold IDs.
  @usableFromInline let hasHeldIDs: Bool
  /// Whether the database records how its rows were received.
  @usableFromInline let hasFreshness: Bool
  /// Whether the rows may violate a rule because no batch has checked them. If `true`, the next
  /// batch that changes anything checks all rows. The version after this batch has a new layout, in
  /// which this property is `false`.
  @usableFromInline let isUnvalidated: Bool
  /// A text for messages, such as `'email' has unique keys`. The text contains the name of the
  /// first relationship, index or check that can refuse a batch, and the rule. `nil` if there is
  /// none.
  @usableFromInline let refusingPart: String?
  /// Whether batches track the rows that they write.
  @usableFromInline let isNoting: Bool
  /// The rows that batches have written, if batches track them.
  let written: NotedRows?
  /// The layout whose memory this one reads, or `nil` if it has memory of its own.
  private let owner: ContentsLayout?

  /// Creates a copy of a layout whose property `written` has the given value. If `written` is
  /// `nil`, batches do not track the rows that they write.
  init(noting written: NotedRows?, like other: ContentsLayout) {
    tables = other.tables
    relationships = other.relationships
    keys = other.keys
    hasLimits = other.hasLimits
    hasConstraints = other.hasConstraints
    hasHeldIDs = other.hasHeldIDs
    hasFreshness = other.hasFreshness
    isUnvalidated = other.isUnvalidated
    refusingPart = other.refusingPart
    isNoting = written != nil
    self.written = written
    owner = other.owner ?? other
  }

  init<Contents: StorageContents>(
    _ contents: UnsafeMutablePointer<Contents>, isUnvalidated: Bool = false
  ) {
    self.isUnvalidated = isUnvalidated
    isNoting = false
    written = nil
    owner = nil
    var survey = ContentsSurvey(contents: contents)
    Contents.visitParts(&survey)
    tables = .allocate(capacity: survey.tables.count)
    tables.initialize(from: survey.tables, count: survey.tables.count)
    relationships = .allocate(capacity: survey.relationships.count)
    relationships.initialize(from: survey.relationships, count: survey.relationships.count)
    keys = StoredKeys(survey.keyRanges)
    hasLimits = survey.hasLimits
    hasConstraints = survey.hasConstraints
    hasHeldIDs = survey.hasHeldIDs
    hasFreshness = survey.hasFreshness
    refusingPart = survey.refusingPart
  }

  deinit {
    if owner != nil { return }
    tables.deallocate()
    relationships.deallocate()
    keys.deallocate()
  }
}

private struct ContentsSurvey<Contents: StorageContents>: StorageVisitor {
  let contents: UnsafeMutablePointer<Contents>
  var tables: [Int] = []
  var relationships: [Int] = []
  var keyRanges: [[Range<Int>]?] = []
  var hasLimits = false
  var hasConstraints = false
  var hasHeldIDs = false
  var hasFreshness = false
  var refusingPart: String?

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    tables.append(UnsafeRawPointer(contents.part(at: path)) - UnsafeRawPointer(contents))
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let relationship = contents.part(at: path)
    relationships.append(UnsafeRawPointer(relationship) - UnsafeRawPointer(contents))
    keyRanges.append((relationship.pointee as? any StoredKeyPart)?.keyRanges)
    if relationship.pointee.countLimits != .any || relationship.pointee.holderLimits != .any {
      hasLimits = true
    }
    if relationship.pointee.isRequired { hasConstraints = true }
    if relationship.pointee.onDelete == .deny { noteRefusal("the delete rule .deny", of: name) }
    if relationship.pointee.countLimits != .any { noteRefusal("count limits", of: name) }
    if relationship.pointee.holderLimits != .any { noteRefusal("limits of holders", of: name) }
    if relationship.pointee.isRequired { noteRefusal("required references", of: name) }
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    keyRanges.append((contents.part(at: path).pointee as? any StoredKeyPart)?.keyRanges)
    if Index.self is any ConstrainingIndex.Type {
      hasConstraints = true
      noteRefusal("unique keys", of: name)
    }
    if Index.self is any HeldIDs.Type { hasHeldIDs = true }
    if Index.self is any FreshnessIndex.Type { hasFreshness = true }
  }

  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
    hasConstraints = true
    noteRefusal("a check", of: name)
  }

  private mutating func noteRefusal(_ rule: String, of name: String) {
    if refusingPart == nil { refusingPart = "'\(name)' has \(rule)" }
  }
}
