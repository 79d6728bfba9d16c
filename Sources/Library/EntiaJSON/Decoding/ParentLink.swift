import EntiaDatabase

/// A relationship from the rows of one table, the children, to a row of another table, their
/// parent.
@usableFromInline
final class ParentLink {
  /// The relation of a child's key to the parent that contains the child.
  enum Relation {
    /// The key refers to the parent.
    case same
    /// The key refers to no row.
    case none
    /// The key refers only to rows other than the parent. The text lists these rows for messages.
    case others(String)
  }

  /// The name of the relationship.
  let name: String
  let child: ObjectIdentifier
  let parent: ObjectIdentifier
  /// The name of the key property, without underscores and in lowercase; nil if it is unknown.
  private let keyName: [UInt8]?
  /// The member that was found to be the key.
  private(set) var keyMember: String?
  /// The members that could be keys by their types, but are not.
  private var others: Set<String> = []
  /// Returns keys that refer only to the parent, one for each possible type of the key property.
  let keys: (_ parentID: Any) -> [Any]
  /// Returns the relation of a child's key to a parent.
  let relation: (_ child: Any, _ parentID: Any) -> Relation

  init<Relationship: RelationshipType>(_ name: String, _ relationship: Relationship) {
    self.name = name
    child = ObjectIdentifier(Relationship.Holder.self)
    parent = ObjectIdentifier(Relationship.Target.self)
    keyName = (relationship as? any KeyFieldRelationship)?.keyFieldName
      .map { DecodingRun.fold(Array($0.utf8)) }
    keys = { parentID in
      guard let id = parentID as? Relationship.Target.EntityID else { return [] }
      return Relationship.isToMany ? [[id], Set([id])] : [id]
    }
    relation = { child, parentID in
      guard let child = child as? Relationship.Holder,
        let id = parentID as? Relationship.Target.EntityID
      else { return .none }
      let named = relationship.targetIDs(of: child)
      if named.contains(id) { return .same }
      return named.isEmpty ? .none : .others(named.map(\.debugText).joined(separator: ", "))
    }
  }

  /// Whether a member may be the key, according to the previous calls of `noteKey` and
  /// `noteOthers`.
  func mayBeKey(_ member: String) -> Bool {
    if let keyMember { return keyMember == member }
    return !others.contains(member)
  }

  /// Notes that a member is the key.
  func noteKey(_ member: String) { keyMember = member }

  /// Notes that members are not the key.
  func noteOthers(_ members: some Sequence<String>) { others.formUnion(members) }

  /// Whether `name` is a usual name of the key in a record, such as `postID`, `post_id` or `post`.
  /// The result `false` proves nothing, because a record may use any other name for the key.
  func hasKeyName(_ name: String) -> Bool {
    guard let keyName else { return false }
    let folded = DecodingRun.fold(Array(name.utf8))
    return folded == keyName || folded + Array("id".utf8) == keyName
      || folded + Array("ids".utf8) == keyName
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
    keys = link.keys(id)
  }

  /// The missing members of a child that are filled with the key, which refers to the parent.
  enum Substitution {
    /// All members that may be the key.
    case all
    /// One member, or none.
    case only(String?)
  }

  var substitution = Substitution.all
  /// The missing members of the current child that were filled with the key. Members are recorded
  /// only while `link.keyMember` is `nil`.
  private(set) var substituted: [String] = []

  /// Whether a child can take a key of a type from its parent.
  func hasKey(_ type: Any.Type, named name: String) -> Bool {
    func hasKey<Value>(_ type: Value.Type) -> Bool { find(type, named: name) != nil }
    return _openExistential(type, do: hasKey)
  }

  /// Returns the key for a child whose record lacks it; nil if the property is not the key.
  func key<Value>(_ type: Value.Type, named name: String) -> Value? {
    guard let key = find(type, named: name) else { return nil }
    if link.keyMember == nil, !substituted.contains(name) { substituted.append(name) }
    return key
  }

  private func find<Value>(_ type: Value.Type, named name: String) -> Value? {
    switch substitution {
    case .all: guard link.mayBeKey(name) else { return nil }
    case .only(let member): guard member == name else { return nil }
    }
    for key in keys {
      if let key = key as? Value { return key }
    }
    return nil
  }

  /// Begins the next child.
  @usableFromInline
  func beginChild() { substituted.removeAll() }

  /// Whether a member of the decoded child was filled with the key, although the member may not be
  /// the key. It may be another reference to the parent's table, and the record may contain the key
  /// under another name.
  @usableFromInline
  var isUnsure: Bool { !substituted.isEmpty }

  /// Decodes the child again. Of the missing members, only the one that is the key is filled. If
  /// the child's record contains the key, no member is filled.
  /// - Parameters:
  ///   - members: Returns the names of the record's members that are not null.
  ///   - decode: Decodes the record again.
  /// - Throws: The error of decoding the record, if the record lacks members other than the key.
  @usableFromInline
  func settle<Child>(members: () -> [String], _ decode: () throws -> Child) throws -> Child {
    let names = substituted
    defer { substitution = .all }
    substitution = .only(nil)
    do {
      let whole = try decode()
      switch link.relation(whole, id) {
      case .same:
        link.noteOthers(names)
        return whole
      case .others: return whole
      case .none: break
      }
    } catch {
      // A required member is missing. If the record contains the key, the missing member is not the
      // key.
      if members().contains(where: link.hasKeyName) { throw error }
    }
    // The result of filling only the likeliest member. It is used if no attempt decodes a child
    // that refers to the parent.
    var likely: Result<Child, any Error>?
    for name in names.filter(link.hasKeyName) + names.filter({ !link.hasKeyName($0) }) {
      substitution = .only(name)
      let outcome = Result { try decode() }
      if case .success(let child) = outcome, case .same = link.relation(child, id) {
        link.noteKey(name)
        return child
      }
      if likely == nil { likely = outcome }
    }
    return try (likely ?? Result { try decode() }).get()
  }

  /// Returns the problem of a decoded child whose key does not refer to the parent. Returns nil if
  /// the key refers to the parent.
  @usableFromInline
  func problem(with child: Any, _ childText: String) -> (ImportProblem.Kind, String)? {
    switch link.relation(child, id) {
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
