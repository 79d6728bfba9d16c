/// An entity with the entities that it references nested in it, down to a given depth, for
/// encoding.
///
/// ```swift
/// let post = library.denormalized(Post.EntityID("p1"), depth: 2)
/// try JSONEncoder().encode(post)
/// ```
///
/// The encoded object has the entity's own members. Down to the depth, it also has a member for
/// each relationship whose key the entity holds, under the relationship's name: an object, `null`,
/// or an array. The ID of a target is encoded instead of the object in three cases: the target is
/// beyond the depth, it is missing, or it is already on the path from the root. An entity with keys
/// must encode itself as an object, as `Codable` types do by default.
public struct DenormalizedEntity: Sendable {
  /// The maximum depth of a nesting that can be encoded. Encoders recurse, and the 512 KB stack
  /// of a secondary thread overflows at about twice this depth.
  static let maximumEncodingDepth = 100

  /// The greatest number of entities in a nesting, unless another maximum is given: 250,000.
  @usableFromInline package static let defaultMaximumCount = 250_000

  /// The representation of one target of a relationship.
  enum NestedValue: Sendable {
    /// The target, as the index of its node.
    case node(Int)
    /// The ID of the target only.
    case id(any Sendable)
  }

  /// The member of a node for one relationship.
  struct Member: Sendable {
    let name: String
    let isList: Bool
    /// Whether the children reference the node's entity. Otherwise, the entity references the
    /// children.
    let isInverse: Bool
    var children: [NestedValue]
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
  package var entityCount: Int { nodes.count }
}

extension DenormalizedEntity: Encodable {
  /// Encodes the nesting.
  /// - Throws: `EncodingError.invalidValue` for an entity or an ID that is not `Encodable`, for a
  ///   nesting that is too large or deeper than 100 levels, and for an entity that has two inverses
  ///   with the same name.
  public func encode(to encoder: any Encoder) throws {
    if isTooLarge {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: tooLarge))
    }
    try NodeEncoding(nesting: self, index: 0, depth: 0).encode(to: encoder)
  }

  /// The description of the error for a nesting that is too large.
  private var tooLarge: String {
    var text = "the nesting has more than \(nodes.count) entities"
    let members = nodes.lazy.flatMap { node in node.members.lazy.map { (node.entity, $0) } }
    if let (entity, member) = members.max(by: { $0.1.children.count < $1.1.children.count }) {
      text +=
        "; \"\(member.name)\" of \(label(of: entity)) alone refers to "
        + "\(member.children.count)"
    }
    return text + "; use a smaller depth, or a greater 'maximumCount'"
  }

  private func label(of entity: some EntityType) -> String { "\(EntityLabel(entity.entityID))" }
}

private struct NodeEncoding: Encodable {
  let nesting: DenormalizedEntity
  let index: Int
  let depth: Int

  func encode(to encoder: any Encoder) throws {
    let node = nesting.nodes[index]
    guard depth <= DenormalizedEntity.maximumEncodingDepth else {
      throw failure(
        node.entity, encoder.codingPath,
        "the nesting is deeper than \(DenormalizedEntity.maximumEncodingDepth) levels")
    }
    if let name = repeatedInverse(of: node) {
      throw failure(
        node.entity, encoder.codingPath,
        "two inverses of \(type(of: node.entity).entityName) are named \"\(name)\"; give each a name "
          + "of its own")
    }
    try Coded(node.entity).encode(to: encoder)
    if node.members.isEmpty { return }
    var container = encoder.container(keyedBy: PartKey.self)
    for member in node.members {
      let key = PartKey(member.name)
      if member.isList {
        // The list is encoded as one value, which replaces a member of the entity with the same
        // name. A nested container would append to that member.
        try container.encode(ListEncoding(node: self, children: member.children), forKey: key)
      } else if let child = member.children.first {
        try container.encode(value(of: child), forKey: key)
      } else {
        try container.encodeNil(forKey: key)
      }
    }
  }

  /// Returns a name that two inverses have in common, if there is one.
  private func repeatedInverse(of node: DenormalizedEntity.Node) -> String? {
    let names = node.members.lazy.filter(\.isInverse).map(\.name)
    return names.enumerated().first { index, name in names.prefix(index).contains(name) }?.element
  }

  fileprivate func value(of child: DenormalizedEntity.NestedValue) -> any Encodable {
    switch child {
    case .node(let index): NodeEncoding(nesting: nesting, index: index, depth: depth + 1)
    case .id(let id): Coded(id)
    }
  }

  private func failure(_ value: Any, _ path: [any CodingKey], _ reason: String) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: reason))
  }
}

/// The children of one member.
private struct ListEncoding: Encodable {
  let node: NodeEncoding
  let children: [DenormalizedEntity.NestedValue]

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for child in children { try list.encode(node.value(of: child)) }
  }
}
