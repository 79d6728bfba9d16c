public import Foundation

/// A condition on entities that are related to a row.
protocol RelatedCondition<Entity>: Sendable {
  associatedtype Entity: EntityType

  /// Makes the condition ready to be asked in one version; `nil` when that has no such relationship.
  func prepare<Contents: StorageContents>(
    in snapshot: Snapshot<Contents>, _ counter: FetchCounter
  ) -> PreparedCondition<Entity>?

  /// The type of the related entities.
  var relatedEntity: ObjectIdentifier { get }

  /// Returns the IDs of the rows whose answer may differ between two versions because of the related
  /// rows that do; some may come twice.
  /// - Complexity: O(*k*) in the number of these rows.
  func affectedIDs<Contents: StorageContents>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Snapshot<Contents>,
    to new: Snapshot<Contents>
  ) -> [Entity.EntityID]
}

/// A condition on related entities, ready to be asked.
struct PreparedCondition<Entity: EntityType> {
  /// Whether a row meets it.
  let accepts: (UnsafeRawPointer) -> Bool
  /// The rows that meet it, where an index finds the related entities.
  let candidates: RowCandidates<Entity>?
  /// What of the condition is left to `evaluate`.
  let interpreted: [String]
}

extension FetchDescriptor {
  /// The types of the entities that decide what is fetched.
  package var entityTypes: [ObjectIdentifier] {
    [ObjectIdentifier(Entity.self)] + related.map { $0.relatedEntity }
  }

  /// Returns this description with a condition on the entities that a key names: one of them must
  /// meet it.
  ///
  /// ```swift
  /// FetchDescriptor<Book>(sortBy: [SortDescriptor(\.year)])
  ///   .joining(\Library.Contents.bookAuthor, #Predicate { $0.name == "Ursula" })
  /// ```
  ///
  /// In a database without the relationship it gives nothing.
  /// - Parameters:
  ///   - path: the relationship, whose holder this description is of.
  ///   - predicate: what the named entity, or one of several, must fulfil.
  public func joining<Contents: StorageContents, Relationship: RelationshipType>(
    _ path: any KeyPath<Contents, Relationship> & Sendable,
    _ predicate: Predicate<Relationship.Target>
  ) -> Self where Relationship.Holder == Entity {
    var result = self
    result.related.append(
      TargetCondition(path: path, predicate: CompiledPredicate(predicate)))
    return result
  }

  /// Returns this description with a condition on the entities whose keys name one: one of them must
  /// meet it.
  ///
  /// ```swift
  /// FetchDescriptor<Author>()
  ///   .joining(inverse: \Library.Contents.bookAuthor, #Predicate { $0.year < 1900 })
  /// ```
  ///
  /// In a database without the relationship it gives nothing.
  /// - Parameters:
  ///   - path: the relationship, whose target this description is of.
  ///   - predicate: what one of the holders must fulfil.
  public func joining<Contents: StorageContents, Relationship: RelationshipType>(
    inverse path: any KeyPath<Contents, Relationship> & Sendable,
    _ predicate: Predicate<Relationship.Holder>
  ) -> Self where Relationship.Target == Entity {
    var result = self
    result.related.append(
      HolderCondition(path: path, predicate: CompiledPredicate(predicate)))
    return result
  }
}
