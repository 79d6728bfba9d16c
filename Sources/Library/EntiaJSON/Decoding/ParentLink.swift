import EntiaDatabase

/// A relationship from the rows of one table, the children, to a row of another table, their
/// parent.
@usableFromInline
class ParentLink {
  /// The relation of a child's key to the parent that contains the child.
  enum Relation {
    /// The key refers to the parent.
    case same
    /// The key refers to no row.
    case none
    /// The key refers to other rows, described for messages.
    case others(String)
  }

  /// The name of the relationship.
  let name: String
  let child: ObjectIdentifier
  let parent: ObjectIdentifier
  /// The name of the key property, without underscores and in lowercase; nil if it is unknown.
  private let keyName: [UInt8]?

  init(_ name: String, child: ObjectIdentifier, parent: ObjectIdentifier, keyName: String?) {
    self.name = name
    self.child = child
    self.parent = parent
    self.keyName = keyName.map { DecodingRun.fold(Array($0.utf8)) }
  }

  /// Returns whether a coding key may be the key property: `postID`, `post_id` and `post` may.
  func isKey(_ name: String) -> Bool {
    guard let keyName else { return true }
    let folded = DecodingRun.fold(Array(name.utf8))
    return folded == keyName || folded + Array("id".utf8) == keyName
      || folded + Array("ids".utf8) == keyName
  }

  /// Returns keys that refer only to the parent, one for each possible type of the key property.
  func keys(to parentID: Any) -> [Any] { [] }

  /// Returns the relation of a child's key to a parent.
  func relation(of child: Any, to parentID: Any) -> Relation { .none }
}

/// A ``ParentLink`` with known types.
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

/// The parent of nested children, and the relationship from the children to it.
@usableFromInline
final class ChildParent {
  private let id: Any
  private let link: ParentLink
  private let keys: [Any]
  /// The parent's table.
  private let table: String
  private let idText: String

  init(_ id: Any, _ idText: String, table: String, _ link: ParentLink) {
    self.id = id
    self.idText = idText
    self.table = table
    self.link = link
    keys = link.keys(to: id)
  }

  /// Whether a child can take a key of a type from its parent.
  func hasKey(_ type: Any.Type, named name: String) -> Bool {
    func hasKey<Value>(_ type: Value.Type) -> Bool { key(type, named: name) != nil }
    return _openExistential(type, do: hasKey)
  }

  /// Returns the key for a child whose record lacks it; nil if the property is not the key.
  func key<Value>(_ type: Value.Type, named name: String) -> Value? {
    guard link.isKey(name) else { return nil }
    for key in keys {
      if let key = key as? Value { return key }
    }
    return nil
  }

  /// Returns the problem of a decoded child; nil if it refers to the parent.
  @usableFromInline
  func problem(with child: Any, _ childText: String) -> (ImportProblem.Kind, String)? {
    switch link.relation(of: child, to: id) {
    case .same: nil
    case .none:
      (
        .typeMismatch,
        "\(childText) is nested in \(table) \(idText), but \(link.name) refers to no row; "
          + "give the record its key"
      )
    case .others(let others):
      (
        .conflict,
        "\(childText) is nested in \(table) \(idText), but \(link.name) refers to \(table) \(others); "
          + "make them agree, or leave the key out"
      )
    }
  }
}
