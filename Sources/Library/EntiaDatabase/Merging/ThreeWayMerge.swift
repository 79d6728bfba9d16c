/// The rules for merging two versions that diverged from a common one.
///
/// ```swift
/// var merge = ThreeWayMerge<Library>(otherwise: .refuse)
/// merge.mergeFields(of: Book.self, \.title, \.year)    // edits of different fields are combined
/// merge.resolve(Author.self) { conflict in conflict.mine == nil ? .theirs : .mine }
/// let result = try mine.merging(theirs, base: before, by: merge)
/// library = result.storage
/// ```
///
/// Edits of different members of one row are combined by the code that `@Entity` generates. An
/// entity without such code is merged by its encoded members if it is `Codable` and coding loses
/// nothing. This is checked: each of the three versions must equal the row decoded from its
/// members, and the merged row must have exactly the combined members. A member is merged as a
/// whole, including nested objects and arrays. Any other row is one value, so two different edits
/// of it are a conflict. `mergeFields` replaces the rules of this paragraph for an entity type.
///
/// Without generated code, a field that the row ignores in `==` and does not encode is not merged.
/// In a row that both sides changed, such a field gets the value that decoding gives to it. List
/// the fields of such an entity with `mergeFields`, or compare the field in `==`.
public struct ThreeWayMerge<Storage: NormalizedStorageType>: Sendable {
  /// The side that is taken in a conflict, if `resolve` was not called for the entity type.
  package let otherwise: MergeChoice
  /// Whether *mine* and *theirs* are exchanged, as when a draft is saved into a store. The places
  /// of rows in ordered tables are not exchanged.
  private(set) var isReversed = false
  /// The rows of rejected batches. *mine* lacks these rows, but *theirs* is based on them. A new
  /// reference of *theirs* to one of these rows is a conflict that the delete rules do not resolve.
  package var withdrawn = WithdrawnRows<Storage>()
  /// Whether the merge is an undo or a redo, in which *theirs* restores rows that *mine* lacks. A
  /// restored row may reference an entity that *mine* removed. Under the delete rules `deny` and
  /// `cascade`, such a row is left out and reported as a conflict.
  package var isUndo = false
  private var rules: [ObjectIdentifier: any Sendable] = [:]

  /// Creates a merge.
  /// - Parameter otherwise: The side that is taken in a conflict, if `resolve` was not called for
  ///   the entity type.
  public init(otherwise: MergeChoice = .refuse) { self.otherwise = otherwise }

  /// Sets the fields by which the rows of an entity type are merged, instead of by their members.
  /// Edits of different listed fields are combined. Different edits of a listed field, or of the
  /// fields that are not listed, are a conflict. If no field is listed, two different edits of one
  /// row are always a conflict.
  /// - Parameters:
  ///   - entity: The entity.
  ///   - fields: The fields.
  public mutating func mergeFields<Entity: EntityType, each Value: Equatable & Sendable>(
    of entity: Entity.Type, _ fields: repeat any WritableKeyPath<Entity, each Value> & Sendable
  ) {
    Storage.Contents.requireTable(of: entity)
    var rule = self.rule(of: entity)
    rule.fields = MergeField.list(repeat each fields)
    rules[ObjectIdentifier(entity)] = rule
  }

  /// Sets the resolution of conflicts of one entity type.
  public mutating func resolve<Entity: EntityType>(
    _ entity: Entity.Type,
    _ resolve: @escaping @Sendable (MergeConflict<Entity>) -> MergeResolution<Entity>
  ) {
    Storage.Contents.requireTable(of: entity)
    var rule = self.rule(of: entity)
    rule.resolve = resolve
    rules[ObjectIdentifier(entity)] = rule
  }

  /// The same merge with *mine* and *theirs* exchanged.
  package var reversed: Self {
    var merge = self
    merge.isReversed.toggle()
    return merge
  }

  func rule<Entity: EntityType>(of entity: Entity.Type) -> MergeRule<Entity> {
    rules[ObjectIdentifier(entity)] as? MergeRule<Entity> ?? MergeRule()
  }

  func resolution<Entity: EntityType>(
    of conflict: MergeConflict<Entity>, _ rule: MergeRule<Entity>
  ) -> MergeResolution<Entity> {
    if let resolve = rule.resolve { return resolve(conflict) }
    switch otherwise {
    case .mine: return .mine
    case .theirs: return .theirs
    case .refuse: return .refuse
    }
  }
}

/// The side of a conflict that is taken.
public enum MergeChoice: Hashable, Sendable {
  /// The receiving version.
  case mine
  /// The incoming version.
  case theirs
  /// Neither: the merge throws an error with all refused conflicts.
  case refuse
}

/// Merges the times and answers of received rows, after the rows have been merged.
struct FreshnessMerge<Storage: NormalizedStorageType>: FreshnessVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let theirs: Snapshot<Contents>
  let base: Snapshot<Contents>
  /// Whether a side may have evicted rows since `base`. An undo reverts no evictions, because those
  /// of a store are not undo steps.
  var mayEvict = (mine: false, theirs: false)

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    let (theirs, base) = (theirs.contents[keyPath: path], base.contents[keyPath: path])
    if theirs.isIdentical(to: base) { return }
    let rows = transaction.contents.table(of: Index.Entity.self)
    let mine = transaction.base.contents[keyPath: path]
    let evictions =
      (mayEvict.mine ? [(evicted: mine, other: theirs)] : [])
      + (mayEvict.theirs ? [(evicted: theirs, other: mine)] : [])
    transaction.contents.part(at: path).pointee.merge(theirs, base: base, evictions: evictions) {
      rows?.contains($0) == true
    }
  }
}

extension NormalizedStorageType {
  /// Merges the times and answers that another version changed since a common version.
  /// - Complexity: O(differences · log *n*).
  package mutating func mergeFreshness(of theirs: Self, since base: Self) {
    if theirs.hasIdenticalFreshness(base) { return }
    var context = beginBatchUpdates()
    var merge = FreshnessMerge(
      transaction: context.transaction, theirs: theirs.snapshot, base: base.snapshot)
    Contents.visitParts(&merge)
    snapshot = context.close()
  }
}
