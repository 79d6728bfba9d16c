import EntiaCoding
public import EntiaDatabase

/// A row of any entity: an ID and members, as defined by a schema and JSON data.
public struct Record: EntityType, @unchecked Sendable {
  // The conformance to `Sendable` is unchecked because of the body's raw memory. The memory is
  // written once, before the body is shared, and only read afterwards.

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

  /// Creates a row from its ID and its other members, in their order. Of several members with the
  /// same name, the first is used.
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
    forEachPart { values.append(RecordValue($0, $1)) }
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
    forEachPart { text, targets in
      if position == wanted { value = RecordValue(text, targets) }
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

extension Record {
  /// Compares the members of the row with those of another occurrence of the row.
  ///
  /// - Returns: The sorted names of common members with different values (`differing`), and whether
  ///   the other occurrence has additional members (`isExtended`).
  func compare(_ other: Record) -> (differing: [ExactString], isExtended: Bool) {
    let differences = self.differences(to: other)
    return (
      differences.filter { $0.old != nil && $0.new != nil }.map(\.name),
      differences.contains { $0.old == nil }
    )
  }

  /// Returns the members in which the row and another one differ, sorted by the UTF-8 bytes of
  /// their names.
  func differences(
    to other: Record
  ) -> [(name: ExactString, old: RecordValue?, new: RecordValue?)] {
    // Read once, because the rows compute these arrays on each access.
    let (oldNames, newNames) = (body.names, other.body.names)
    let (oldValues, newValues) = (values, other.values)
    var differences: [(name: ExactString, old: RecordValue?, new: RecordValue?)] = []
    var (left, right) = (oldNames.sorted[...], newNames.sorted[...])
    while left.first != nil || right.first != nil {
      let old = left.first.map { oldNames.names[$0] }
      let new = right.first.map { newNames.names[$0] }
      let isOld = old.map { name in new.map { name <= $0 } ?? true } ?? false
      let isNew = new.map { name in old.map { name <= $0 } ?? true } ?? false
      let before = isOld ? left.popFirst().map { oldValues[$0] } : nil
      let after = isNew ? right.popFirst().map { newValues[$0] } : nil
      if before != after, let name = isOld ? old : new { differences.append((name, before, after)) }
    }
    return differences
  }

  /// Returns the row combined with another occurrence of it. The members of the other occurrence
  /// take precedence, and its new members follow the existing members.
  ///
  /// - Returns: The combined row, and the names of the members that are new or different
  ///   (`changed`).
  func merging(_ other: Record) -> (record: Record, changed: [ExactString]) {
    var changes: [ExactString: RecordValue] = [:]
    var changed: [ExactString] = []
    for difference in differences(to: other) {
      guard let value = difference.new else { continue }
      changes[difference.name] = value
      changed.append(difference.name)
    }
    return (replacing(changes, addingInOrderOf: other.names), changed)
  }

  /// Returns the row with other values of some members.
  ///
  /// - Parameters:
  ///   - changes: The values of existing and new members.
  ///   - order: Names that include the new members. The new members are added in this order.
  func replacing(
    _ changes: [ExactString: RecordValue], addingInOrderOf order: [ExactString]
  ) -> Record {
    var added = changes
    var values = values
    for (index, name) in names.enumerated() {
      if let value = added.removeValue(forKey: name) { values[index] = value }
    }
    if added.isEmpty { return with(values) }
    var names = names
    for name in order {
      guard let value = added.removeValue(forKey: name) else { continue }
      names.append(name)
      values.append(value)
    }
    return Record(id: id, names: MemberNames(names), values: values)
  }

  /// Returns the row with other values of its members.
  func with(_ values: [RecordValue]) -> Record {
    Record(id: id, names: body.names, values: values)
  }
}

extension Record {
  /// The references of one member: a range of the row's references.
  struct PartTargets {
    // A pointer into the row, because copying the references would retain them for every member.
    fileprivate let head: UnsafeMutablePointer<RecordBody.Head>
    fileprivate let range: Range<Int>

    @inline(__always)
    func visit(_ body: (RecordID) -> Void) {
      for index in range { if let id = head.pointee.targets[index] { body(id) } }
    }
  }

  /// Calls the closure with the bytes and the references of each member, in order of ``names``. The
  /// bytes are the text of a value, or the mark that stands for references.
  ///
  /// - Complexity: O(size of the row).
  @inline(__always)
  func forEachPart(_ visit: (UnsafeBufferPointer<UInt8>, PartTargets) -> Void) {
    body.withUnsafeMutablePointers { head, bytes in
      let texts = UnsafeBufferPointer(start: bytes, count: head.pointee.count)
      var target = 0
      var start = 0
      while start < texts.count {
        let rest = UnsafeBufferPointer(rebasing: texts[start...])
        let text = UnsafeBufferPointer(
          rebasing: rest[..<(ByteRange.firstIndex(of: RecordBody.end, in: rest) ?? rest.count)])
        let count =
          switch text.first {
          case RecordBody.oneMark: 1
          case RecordBody.manyMark: text.dropFirst().reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
          default: 0
          }
        visit(text, PartTargets(head: head, range: target..<target + count))
        target += count
        start += text.count + 1
      }
    }
  }
}

extension RecordValue {
  /// Creates the value of a member from its bytes and its references; see `forEachPart(_:)`.
  init(_ text: UnsafeBufferPointer<UInt8>, _ targets: Record.PartTargets) {
    var ids: [RecordID] = []
    targets.visit { ids.append($0) }
    switch text.first {
    case RecordBody.oneMark: self = ids.first.map(RecordValue.reference) ?? .null
    case RecordBody.manyMark: self = .references(ids)
    default: self = .plain(JSONText(canonical: String(decoding: text, as: UTF8.self)))
    }
  }

  /// Appends the value in the stored form.
  func append(to texts: inout [UInt8], _ targets: inout [RecordID]) {
    switch self {
    case .plain(let text): texts.append(contentsOf: text.text.utf8)
    case .reference(let id):
      texts.append(RecordBody.oneMark)
      targets.append(id)
    case .references(let ids):
      Self.appendMark(many: ids.count, to: &texts)
      targets.append(contentsOf: ids)
    }
    texts.append(RecordBody.end)
  }

  /// Appends the mark of a list of references.
  static func appendMark<Sink: ByteSink & ~Copyable>(many count: Int, to texts: inout Sink) {
    texts.append(RecordBody.manyMark)
    for digit in String(count).utf8 { texts.append(digit) }
  }
}
