import EntiaDatabase

/// A relationship by which rows of one table, the children, name a row of another, their parent.
@usableFromInline
class ParentLink {
  /// How a child's key relates to the parent that the child is nested in.
  enum Relation {
    /// The key names the parent.
    case same
    /// The key names no row.
    case none
    /// The key names other rows, as messages spell them.
    case others(String)
  }

  /// The name of the relationship.
  let name: String
  let child: ObjectIdentifier
  let parent: ObjectIdentifier
  /// The property that is the key, without underscores and in lower case; nil where it has no name.
  private let keyName: [UInt8]?

  init(_ name: String, child: ObjectIdentifier, parent: ObjectIdentifier, keyName: String?) {
    self.name = name
    self.child = child
    self.parent = parent
    self.keyName = keyName.map { DecodingRun.fold(Array($0.utf8)) }
  }

  /// Whether a coding key may be that of the property: `postID`, `post_id` and `post` are.
  func isKey(_ name: String) -> Bool {
    guard let keyName else { return true }
    let folded = DecodingRun.fold(Array(name.utf8))
    return folded == keyName || folded + Array("id".utf8) == keyName
      || folded + Array("ids".utf8) == keyName
  }

  /// Returns the values that a key to the parent alone has, in each type that it may have.
  func keys(to parentID: Any) -> [Any] { [] }

  /// Returns how the key of a child relates to a parent.
  func relation(of child: Any, to parentID: Any) -> Relation { .none }
}

/// A ``ParentLink`` whose types are known.
final class TypedParentLink<Relationship: RelationshipType>: ParentLink {
  private let relationship: Relationship

  init(_ name: String, _ relationship: Relationship) {
    self.relationship = relationship
    super.init(
      name, child: ObjectIdentifier(Relationship.Holder.self),
      parent: ObjectIdentifier(Relationship.Target.self),
      keyName: (relationship as? any KeyFieldRelationship)?.keyFieldName)
  }

  override func keys(to parentID: Any) -> [Any] {
    guard let id = parentID as? Relationship.Target.EntityID else { return [] }
    return Relationship.isToMany ? [[id], Set([id])] : [id]
  }

  override func relation(of child: Any, to parentID: Any) -> Relation {
    guard let child = child as? Relationship.Holder,
      let id = parentID as? Relationship.Target.EntityID
    else { return .none }
    let named = relationship.targetIDs(of: child)
    if named.contains(id) { return .same }
    return named.isEmpty ? .none : .others(named.map(\.debugText).joined(separator: ", "))
  }
}
