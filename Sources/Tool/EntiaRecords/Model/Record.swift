import EntiaCoding
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

  init(id: RecordID, names: MemberNames, values: [RecordValue]) {
    var texts: [UInt8] = []
    var targets: [RecordID] = []
    for value in values { value.append(to: &texts, &targets) }
    body = texts.withUnsafeBufferPointer {
      RecordBody.make(id: id, names: names, targets: RecordTargets(targets), texts: $0)
    }
  }

  /// Creates a row from members, without the ID. The row keeps their order. Of several members with
  /// the same name, the first is used.
  ///
  /// - Complexity: O(members × log members).
  public init(id: RecordID, members: [(name: String, value: RecordValue)]) {
    var known: Set<ExactString> = []
    var names: [ExactString] = []
    var values: [RecordValue] = []
    for member in members where known.insert(ExactString(member.name)).inserted {
      names.append(ExactString(member.name))
      values.append(member.value)
    }
    self.init(id: id, names: MemberNames(names), values: values)
  }

  /// The entity and the ID of the row.
  public var id: RecordID { body.id }

  /// The ID of the row.
  public var entityID: EntityID { EntityID(id) }

  /// Returns whether the row has the given ID.
  public func hasID(_ id: EntityID) -> Bool { self.id == id.raw }

  /// The names of the members, in the order in which they were read.
  var names: [ExactString] { body.names.names }

  /// The values of the members.
  var values: [RecordValue] {
    var values: [RecordValue] = []
    values.reserveCapacity(names.count)
    forEachValue { values.append(RecordValue($0)) }
    return values
  }

  /// The members, in the order in which they were read. The ID is not one of them.
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
    body.targets.visit { references.append(EntityID($0)) }
    return references
  }

  /// Returns whether two rows have the same ID and the same members, in any order.
  public static func == (lhs: Record, rhs: Record) -> Bool {
    lhs.body === rhs.body || lhs.id == rhs.id && lhs.hasSameMembers(as: rhs)
  }

  private func hasSameMembers(as other: Record) -> Bool {
    let (mine, theirs) = (body.names, other.body.names)
    if mine.isEqual(to: theirs) {
      return other.body.withTexts { body.hasMembers(mine, other.body.targets, $0) }
    }
    guard mine.hasSameNames(as: theirs) else { return false }
    let (values, others) = (self.values, other.values)
    return zip(mine.sorted, theirs.sorted).allSatisfy { values[$0] == others[$1] }
  }
}
