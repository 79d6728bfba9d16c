import EntiaCoding
import EntiaDatabase
import EntiaJSON

/// A relationship to follow in reverse when denormalizing: from a row to its holders.
public struct RecordInverse: Hashable, Sendable {
  /// The entity of the rows with the references.
  package var entity: String
  /// The member with the references.
  package var member: String
  /// The name under which the rows are nested. It replaces a row's own member with this name. Two
  /// inverses of one entity need different names.
  package var name: String
  /// The number of times that one branch follows the relationship.
  package var depth: Int

  /// Creates an inverse.
  /// - Parameters:
  ///   - entity: The entity of the rows with the references.
  ///   - member: The member with the references.
  ///   - name: The name under which the rows are nested; nil for the name of the entity.
  ///   - depth: The number of times that one branch follows the relationship.
  public init(_ entity: String, _ member: String, as name: String? = nil, depth: Int = 1) {
    self.entity = entity
    self.member = member
    self.name = name ?? entity
    self.depth = depth
  }

  /// Creates an inverse from its text, such as `comments.post`, `comments.parent:3` for a depth of
  /// 3, and `comments.parent:3=replies` for another name; nil if the text is no inverse.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let point = path[0].lastIndex(of: "."), let depth = path.count == 1 ? 1 : Int(path[1]),
      depth > 0
    else { return nil }
    let (entity, member) = (path[0][..<point], path[0][path[0].index(after: point)...])
    let name = parts.count == 1 ? entity : parts[1]
    guard !entity.isEmpty, !member.isEmpty, !name.isEmpty else { return nil }
    self.init(String(entity), String(member), as: String(name), depth: depth)
  }
}

extension RecordDatabase {
  /// Returns the reason why an inverse cannot be followed, or nil.
  ///
  /// - Throws: A `SelectionProblem` if its entity does not exist.
  func problem(with inverse: RecordInverse) throws(SelectionProblem) -> DenormalizeProblem? {
    let entity = try knownEntity(inverse.entity)
    if let relationship = entity.relationship(inverse.member) {
      let target = schema.entities.first {
        relationship.names($0.name) && $0.idNames.contains { $0.isExactly(inverse.name) }
      }
      return target.map { .nameOfID(inverse.name, entity: $0.name) }
    }
    let suggestion = Suggestion.nearest(
      to: inverse.member, among: entity.relationships.map(\.name))
    return .unknownRelationship(inverse.member, entity: inverse.entity, suggestion: suggestion)
  }

  /// Returns the problem of two inverses with the same name for the same entity, or nil if the
  /// names are unique.
  func repeatedName(in inverses: [RecordInverse]) -> DenormalizeProblem? {
    for (place, inverse) in inverses.enumerated() {
      guard let relationship = relationship(of: inverse) else { continue }
      for other in inverses[..<place] where other.name.isExactly(inverse.name) {
        guard let known = self.relationship(of: other) else { continue }
        let shared = schema.entities.first {
          relationship.names($0.name) && known.names($0.name)
        }
        if let shared { return .repeatedName(inverse.name, entity: shared.name) }
      }
    }
    return nil
  }

  /// Returns the relationship that an inverse follows, or nil if it does not exist.
  func relationship(of inverse: RecordInverse) -> Schema.Relationship? {
    schema.entity(inverse.entity)?.relationship(inverse.member)
  }
}
