public import EntiaDatabase

/// A row of any entity: an ID and members, as a schema and JSON give them.
public struct Record: EntityType {
  /// The raw ID names the entity as well.
  public typealias EntityIDRawType = RecordID

  /// The entity and the ID of the row.
  public let id: RecordID
  /// The names of the members, sorted by their UTF-8; rows that have the same share them.
  let names: [ExactString]
  /// The values of the members.
  let values: [RecordValue]

  /// The ID of the row.
  public var entityID: EntityID { EntityID(id) }

  init(id: RecordID, names: [ExactString], values: [RecordValue]) {
    self.id = id
    self.names = names
    self.values = values
  }

  /// Makes a row from members in any order, without the ID; of two with one name the first counts.
  ///
  /// - Complexity: O(members × log members).
  public init(id: RecordID, members: [(name: String, value: RecordValue)]) {
    let order = members.indices.sorted {
      let (left, right) = (ExactString(members[$0].name), ExactString(members[$1].name))
      return left == right ? $0 < $1 : left < right
    }
    var names: [ExactString] = []
    var values: [RecordValue] = []
    for index in order where names.last != ExactString(members[index].name) {
      names.append(ExactString(members[index].name))
      values.append(members[index].value)
    }
    self.init(id: id, names: names, values: values)
  }

  /// The members, sorted by the UTF-8 of their names; the ID is none of them.
  public var members: [(name: String, value: RecordValue)] {
    zip(names, values).map { ($0.string, $1) }
  }

  /// Gives the value of a member; nil if the row has no such member.
  ///
  /// - Complexity: O(log members).
  public subscript(name: String) -> RecordValue? {
    let name = ExactString(name)
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < name { low = middle + 1 } else { high = middle }
    }
    return low < names.count && names[low] == name ? values[low] : nil
  }

  /// The IDs of the rows that this row names, in the order of its members.
  public var references: [EntityID] {
    var references: [EntityID] = []
    for value in values {
      switch value {
      case .plain: continue
      case .reference(let id): references.append(EntityID(id))
      case .references(let ids): references.append(contentsOf: ids.lazy.map { EntityID($0) })
      }
    }
    return references
  }
}
