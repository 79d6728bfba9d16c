public import Foundation

extension FetchDescriptor {
  /// Returns a copy of this descriptor with a condition on the entities that a key references.
  ///
  /// ```swift
  /// FetchDescriptor<Book>().joining(\Library.bookAuthor, #Predicate { $0.name == "Ursula" })
  /// ```
  ///
  /// In a database without the relationship, the fetch returns nothing.
  /// - Parameters:
  ///   - path: The relationship; its holder is the entity type of this descriptor.
  ///   - predicate: The condition on the referenced entities.
  ///   - quantifier: The number of referenced entities that must match.
  public func joining<Root, Relationship: RelationshipType>(
    _ path: any KeyPath<Root, Relationship> & Sendable,
    _ predicate: Predicate<Relationship.Target>, matching quantifier: JoinQuantifier = .any
  ) -> Self where Relationship.Holder == Entity {
    joining(path, FetchDescriptor<Relationship.Target>(predicate: predicate), matching: quantifier)
  }

  /// Returns a copy of this descriptor with conditions on the entities that a key references, and
  /// on entities that are related to the referenced ones.
  ///
  /// ```swift
  /// FetchDescriptor<Book>().joining(
  ///   \Library.bookAuthor,
  ///   FetchDescriptor().joining(\Library.authorCountry, #Predicate { $0.code == "NZ" }))
  /// ```
  ///
  /// In a database without the relationship, the fetch returns nothing.
  /// - Parameters:
  ///   - path: The relationship; its holder is the entity type of this descriptor.
  ///   - related: The conditions on the referenced entities; its sort, limit and offset are
  ///     ignored.
  ///   - quantifier: The number of referenced entities that must match.
  public func joining<Root, Relationship: RelationshipType>(
    _ path: any KeyPath<Root, Relationship> & Sendable,
    _ related: FetchDescriptor<Relationship.Target> = FetchDescriptor<Relationship.Target>(),
    matching quantifier: JoinQuantifier = .any
  ) -> Self where Relationship.Holder == Entity {
    var result = self
    result.related.append(
      TargetCondition(
        path: StoragePath(path), related: related.conditionsOnly, quantifier: quantifier))
    return result
  }

  /// Returns a copy of this descriptor with a condition on the holders: the entities that reference
  /// a fetched entity.
  ///
  /// ```swift
  /// FetchDescriptor<Author>()
  ///   .joining(inverse: \Library.bookAuthor, #Predicate { $0.year < 1900 }, matching: .none)
  /// ```
  ///
  /// In a database without the relationship, the fetch returns nothing.
  /// - Parameters:
  ///   - path: The relationship; its target is the entity type of this descriptor.
  ///   - predicate: The condition on the holders.
  ///   - quantifier: The number of holders that must match.
  public func joining<Root, Relationship: RelationshipType>(
    inverse path: any KeyPath<Root, Relationship> & Sendable,
    _ predicate: Predicate<Relationship.Holder>, matching quantifier: JoinQuantifier = .any
  ) -> Self where Relationship.Target == Entity {
    joining(
      inverse: path, FetchDescriptor<Relationship.Holder>(predicate: predicate),
      matching: quantifier)
  }

  /// Returns a copy of this descriptor with conditions on the holders, such as join entities, and
  /// on entities that are related to the holders.
  ///
  /// ```swift
  /// FetchDescriptor<Person>().joining(
  ///   inverse: \Club.memberPerson,
  ///   FetchDescriptor(predicate: #Predicate { $0.isLead })
  ///     .joining(\Club.memberTeam, #Predicate { $0.name == "Chess" }))
  /// FetchDescriptor<Author>().joining(inverse: \Library.bookAuthor, matching: .atLeast(3))
  /// ```
  ///
  /// In a database without the relationship, the fetch returns nothing.
  /// - Parameters:
  ///   - path: The relationship; its target is the entity type of this descriptor.
  ///   - related: The conditions on the holders; its sort, limit and offset are ignored.
  ///   - quantifier: The number of holders that must match.
  public func joining<Root, Relationship: RelationshipType>(
    inverse path: any KeyPath<Root, Relationship> & Sendable,
    _ related: FetchDescriptor<Relationship.Holder> = FetchDescriptor<Relationship.Holder>(),
    matching quantifier: JoinQuantifier = .any
  ) -> Self where Relationship.Target == Entity {
    var result = self
    result.related.append(
      HolderCondition(
        path: StoragePath(path), related: related.conditionsOnly, quantifier: quantifier))
    return result
  }

  /// Returns a copy of this descriptor sorted by a field of the entity that a key references, and
  /// then by `sortBy`.
  ///
  /// ```swift
  /// FetchDescriptor<Book>(sortBy: [SortDescriptor(\.year)])
  ///   .sorted(by: \Library.bookAuthor, SortDescriptor(\.name))
  /// ```
  ///
  /// Entities that reference no entity of the database are first, or last if `sort` is reversed. If
  /// several sorts by related fields are added, the first has precedence. No index has the order of
  /// a related field, so that all matching entities are sorted.
  /// - Parameters:
  ///   - path: The relationship; its holder is the entity type of this descriptor.
  ///   - sort: The sort of the referenced entities.
  public func sorted<Root, Target: EntityType>(
    by path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable, _ sort: SortDescriptor<Target>
  ) -> Self {
    var result = self
    result.relatedSorts.append(TargetSort(path: StoragePath(path), sort: sort))
    return result
  }

  /// This descriptor without its sort and its limits.
  private var conditionsOnly: Self {
    var result = unsorted
    result.fetchLimit = nil
    result.fetchOffset = nil
    result.start = nil
    return result
  }
}
