/// An entity with the entities that it references nested in it, down to a given depth, for
/// encoding.
///
/// ```swift
/// let post = library.denormalized(Post.EntityID("p1"), depth: 2)
/// try JSONEncoder().encode(post)
/// ```
///
/// The encoded object has the entity's own members. Down to the depth, it also has a member for
/// each relationship whose key the entity holds, under the relationship's name: an object,
/// `null`, or an array. The ID is encoded instead of the object beyond the depth, where an entity
/// repeats on its own branch, and where the target is missing. An entity that has keys must
/// encode itself as an object, which is the default of `Codable`.
public struct DenormalizedEntity: Sendable {
  /// The maximum depth of a nesting that can be encoded. Encoders recurse, and the 512 KB stack
  /// of a secondary thread overflows at about twice this depth.
  public static let maximumEncodingDepth = 100

  /// The greatest number of entities in a nesting, unless another one is given: 250,000.
  public static let defaultMaximumCount = 250_000

  /// The representation of one target of a relationship.
  enum Child: Sendable {
    /// The target, as the index of its node.
    case node(Int)
    /// The ID of the target only.
    case id(any Sendable)
  }

  /// A relationship's member of one node.
  struct Member: Sendable {
    let name: String
    let isList: Bool
    /// Whether the children reference the entity, rather than the entity the children.
    let isInverse: Bool
    var children: [Child]
  }

  /// One entity with its members. All nodes are stored in one flat list, so that creating and
  /// freeing a deep nesting does not recurse.
  struct Node: Sendable {
    let entity: any EntityType
    var members: [Member] = []
  }

  var nodes: [Node] = []

  /// Whether there are more entities than the maximum that was given. The nesting is incomplete
  /// then, and cannot be encoded.
  public internal(set) var isTooLarge = false

  /// The number of entities in the nesting. An entity that is nested on several branches is
  /// counted once for each.
  public var entityCount: Int { nodes.count }
}
