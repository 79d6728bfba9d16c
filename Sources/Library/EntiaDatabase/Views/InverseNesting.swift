/// A relationship that a nesting follows from an entity to its holders.
///
/// ```swift
/// library.denormalized(
///   Post.EntityID("p1"),
///   following: [
///     .inverse(\.commentPost, as: "comments"), .inverse(\.replyTo, as: "replies", depth: 3),
///   ])
/// ```
public struct InverseNesting<Storage: NormalizedStorageType>: Sendable {
  /// The name of the member that holds the nested entities.
  package let name: String
  /// The number of times that one branch follows the relationship.
  package let depth: Int

  let relationship: any ErasedRelationship<Storage.Contents>

  /// Returns the nesting of the entities whose key references an entity.
  ///
  /// - Parameters:
  ///   - path: The relationship, from the entities that hold the key.
  ///   - name: The name of the member that holds the nested entities. It takes the place of a
  ///     member of this name that the entity has itself. Two inverses of one entity with one name
  ///     are an error of encoding.
  ///   - depth: The number of times that one branch follows the relationship: 1 nests the comments
  ///     of a post, and 3 the replies to the replies to the replies to a comment.
  /// - Returns: The nesting.
  public static func inverse<Relationship: RelationshipType>(
    _ path: any KeyPath<Storage.Contents, Relationship> & Sendable, as name: String, depth: Int = 1
  ) -> Self {
    Self(
      name: name, depth: depth,
      relationship: RelationshipPath<Storage.Contents, Relationship>(path: path))
  }

  /// Calls a visitor with the relationship.
  package func visit<Visitor: RelationshipPathVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Storage.Contents { relationship.visit(&visitor) }
}

/// Receives a relationship with its types.
package protocol RelationshipPathVisitor<Contents> {
  associatedtype Contents: StorageContents

  mutating func visit<Relationship: RelationshipType>(
    _ path: any KeyPath<Contents, Relationship> & Sendable)
}

/// A relationship without its types.
protocol ErasedRelationship<Contents>: Sendable {
  associatedtype Contents: StorageContents

  func visit<Visitor: RelationshipPathVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Contents
}

private struct RelationshipPath<
  Contents: StorageContents, Relationship: RelationshipType
>: ErasedRelationship {
  let path: any KeyPath<Contents, Relationship> & Sendable

  func visit<Visitor: RelationshipPathVisitor>(_ visitor: inout Visitor)
  where Visitor.Contents == Contents { visitor.visit(path) }
}

extension NormalizedStorageType {
  /// Returns an entity with related entities nested in it: those that it references, and on request
  /// those that reference it.
  ///
  /// - Parameters:
  ///   - id: The ID of the entity.
  ///   - depth: The number of references to follow on one branch. With 0, an entity is nested as it
  ///     is stored.
  ///   - inverses: The relationships to follow from an entity to its holders. Each has a depth of
  ///     its own, independent of `depth`.
  ///   - maximumCount: The greatest number of entities to nest. The number grows exponentially with
  ///     the depth, because an entity is nested on each branch.
  /// - Returns: The nesting, or `nil` when no entity has the ID. An entity that repeats on its own
  ///   branch is nested as its ID. A nesting of more than `maximumCount` entities ends there: its
  ///   `isTooLarge` is `true`, and encoding it throws.
  /// - Complexity: O(*k*) expected in the number of nested entities, at most `maximumCount`. The
  ///   traversal does not recurse.
  public func denormalized<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, depth: Int = 1, following inverses: [InverseNesting<Self>] = [],
    maximumCount: Int = DenormalizedEntity.defaultMaximumCount
  ) -> DenormalizedEntity? {
    let levels = NestingLevels(references: depth, inverses: inverses.map(\.depth))
    var builder = NestingBuilder(
      snapshot: snapshot, inverses: inverses.map { ($0.name, $0.relationship) })
    builder.maximumCount = max(maximumCount, 1)
    builder.resolve(EntityNesting(id: id, levels: levels, position: nil))
    return builder.result.nodes.isEmpty ? nil : builder.result
  }
}
