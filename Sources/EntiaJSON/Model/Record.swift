public import EntiaDatabase

/// A row of any entity: an ID and members, as defined by a schema and JSON data.
public struct Record: EntityType, @unchecked Sendable {
  // Unchecked because of the body's raw memory. It is written once, before the body is shared, and
  // only read afterwards.

  /// The raw ID includes the entity.
  public typealias EntityIDRawType = RecordID
  /// The hash is stored in the ID.
  public typealias EntityIDStorage = RecordIDStorage

  let body: RecordBody

  init(body: RecordBody) { self.body = body }

  init(id: RecordID, names: [ExactString], values: [RecordValue]) {
    var texts: [UInt8] = []
    var targets: [RecordID] = []
    for value in values { value.append(to: &texts, &targets) }
    body = texts.withUnsafeBufferPointer {
      RecordBody.make(id: id, names: names, targets: RecordTargets(targets), texts: $0)
    }
  }

  /// Creates a row from members in any order, without the ID. Of several members with the same
  /// name, the first is used.
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

  /// The entity and the ID of the row.
  public var id: RecordID { body.header.id }

  /// The ID of the row.
  public var entityID: EntityID { EntityID(id) }

  /// Returns whether the row has the given ID.
  public func hasID(_ id: EntityID) -> Bool { self.id == id.raw }

  /// The names of the members, sorted by their UTF-8 bytes.
  var names: [ExactString] { body.header.names }

  /// The values of the members.
  var values: [RecordValue] {
    var values: [RecordValue] = []
    values.reserveCapacity(names.count)
    forEachValue { values.append(RecordValue($0)) }
    return values
  }

  /// The members, sorted by the UTF-8 bytes of their names. The ID is not one of them.
  public var members: [(name: String, value: RecordValue)] {
    zip(names, values).map { ($0.string, $1) }
  }

  /// The value of a member, or nil if the row has no such member.
  ///
  /// - Complexity: O(size of the row).
  public subscript(name: String) -> RecordValue? {
    let name = ExactString(name)
    guard let wanted = names.firstIndex(of: name) else { return nil }
    var position = 0
    var value: RecordValue?
    forEachValue { part in
      if position == wanted { value = RecordValue(part) }
      position += 1
    }
    return value
  }

  /// The IDs of the rows that this row refers to, in order of its members.
  public var references: [EntityID] {
    var references: [EntityID] = []
    body.header.targets.visit { references.append(EntityID($0)) }
    return references
  }

  /// Returns whether two rows have the same ID and the same members.
  public static func == (lhs: Record, rhs: Record) -> Bool {
    lhs.body === rhs.body || lhs.body.isEqual(to: rhs.body)
  }
}
