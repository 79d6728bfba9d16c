import EntiaCollections

/// Finds the ways in which the primary key and the relationships of a database can serve a fetch.
struct KeySearch<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let contents: Contents
  let conditions: FieldConditions
  private(set) var found: [RowCandidates<Entity>] = []

  init(_ contents: Contents, _ conditions: FieldConditions) {
    self.contents = contents
    self.conditions = conditions
    searchPrimaryKey()
    if !conditions.values.isEmpty || !conditions.members.isEmpty { Contents.visitParts(&self) }
  }

  private mutating func searchPrimaryKey() {
    for condition in conditions.values {
      let ids =
        if condition.isIdentifier {
          condition.values.compactMap { ($0 as? Entity.EntityIDRawType).map(Entity.EntityID.init) }
        } else if Contents.entityIDPaths.contains(condition.path) {
          condition.values.compactMap { $0 as? Entity.EntityID }
        } else {
          [Entity.EntityID]()
        }
      guard ids.count == condition.values.count else { continue }
      let words = equality("id", condition.values)
      found.append(
        RowCandidates([.few(ids)], foundBy: "primary key", "the primary key (\(words))"))
    }
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    guard Relationship.Holder.self == Entity.self,
      let relationship = contents[keyPath: path] as? any KeyedRelationship<Entity>,
      let key = relationship.keyPath
    else { return }
    if Relationship.isToMany {
      for condition in conditions.members where condition.path == key {
        let words = "\(fieldName(key)) contains \(valueText(condition.value))"
        add(name, words, [condition.value], relationship)
      }
    } else {
      for condition in conditions.values where condition.path == key {
        add(name, equality(fieldName(key), condition.values), condition.values, relationship)
      }
    }
  }

  private mutating func add(
    _ name: String, _ words: String, _ values: [Any], _ relationship: some KeyedRelationship<Entity>
  ) {
    let lists = values.compactMap { relationship.holders(naming: $0) }
    // A value of `nil` has no list, because rows whose key is `nil` have no links.
    guard lists.count == values.count else { return }
    found.append(RowCandidates(lists, foundBy: name, "\(name) (\(words))"))
  }
}

/// Returns the description of a condition that a field has one of some values.
func equality(_ field: String, _ values: [Any]) -> String {
  values.count == 1
    ? "\(field) = \(valueText(values[0]))" : "\(field) among \(values.count) values"
}

/// A relationship whose key is a field of the holder. It serves as an index of the holders by the
/// ID that they reference.
protocol KeyedRelationship<Holder>: LinkedRelationship {
  /// The field that is the key; `nil` when the key is derived from a field by a closure.
  var keyPath: AnyKeyPath? { get }
}

extension KeyedRelationship {
  /// Returns the IDs of the holders that reference an entity, or `nil` if the value is not an ID of
  /// the target.
  /// - Complexity: O(1) expected.
  func holders(naming value: Any) -> LinkList<Holder.EntityID>? {
    (value as? Target.EntityID).map { links.table[$0]?.value ?? .few([]) }
  }
}

extension ToOne: KeyedRelationship {
  var keyPath: AnyKeyPath? {
    switch key {
    case .required(let reader): reader.path
    case .optional(let reader): reader.path
    case .derived: nil
    }
  }
}

extension ToMany: KeyedRelationship {
  var keyPath: AnyKeyPath? {
    switch key {
    case .list(let reader): reader.path
    case .derived(let key): key.path
    }
  }
}

/// A superset of the rows of a fetch, found without examining the other rows.
struct RowCandidates<Entity: EntityType> {
  /// The maximum number of rows.
  let count: Int
  /// The names of the indexes and relationships that find the rows.
  let names: [String]
  /// The way in which the rows are found, in words.
  let access: String
  /// Whether the rows are visited in the order of the fetch.
  let isInOrder: Bool
  /// Whether an ID may be visited twice.
  let hasRepeats: Bool
  /// Calls the closure with each ID until it returns `false`.
  let visit: ((Entity.EntityID) -> Bool) -> Void

  /// Creates candidates from the lists of an index, a key or a relationship.
  /// - Parameters:
  ///   - lists: The IDs that were looked up, one list for each value.
  ///   - name: The name of the index, key or relationship.
  ///   - access: The way in which the rows are found, in words.
  init(_ lists: [LinkList<Entity.EntityID>], foundBy name: String, _ access: String) {
    let count = lists.reduce(0) { $0 + $1.count }
    self.init(
      count: count, names: [name], access: access, isInOrder: count <= 1, hasRepeats: count > 1
    ) { body in
      var isDone = false
      for list in lists where !isDone {
        list.visit { id in
          isDone = !body(id)
          return !isDone
        }
      }
    }
  }

  init(
    count: Int, names: [String], access: String, isInOrder: Bool = false, hasRepeats: Bool = false,
    visit: @escaping ((Entity.EntityID) -> Bool) -> Void
  ) {
    self.count = count
    self.names = names
    self.access = access
    self.isInOrder = isInOrder
    self.hasRepeats = hasRepeats
    self.visit = visit
  }

  /// Returns the union of candidates.
  static func union(_ all: [RowCandidates]) -> RowCandidates {
    var names: [String] = []
    for name in all.flatMap(\.names) where !names.contains(name) { names.append(name) }
    return RowCandidates(
      count: all.reduce(0) { $0 + $1.count }, names: names,
      access: all.map(\.access).joined(separator: " or "), hasRepeats: true
    ) { body in
      var shouldContinue = true
      for candidates in all where shouldContinue {
        candidates.visit { id in
          shouldContinue = body(id)
          return shouldContinue
        }
      }
    }
  }

  /// Candidates without rows.
  static var none: RowCandidates {
    RowCandidates(count: 0, names: [], access: "a condition that no row meets") { _ in }
  }
}
