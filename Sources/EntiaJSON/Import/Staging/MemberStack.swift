/// The completed members of all open records, those of the innermost record last.
struct MemberStack {
  /// The kind of a value, which determines where it is stored.
  enum Kind {
    /// The canonical text in the input.
    case text
    /// The canonical text in the arena, because that in the input is not canonical.
    case arena
    /// One target.
    case one
    /// A list of targets.
    case many
  }

  struct Member {
    let kind: Kind
    /// The start in the input, in the arena or in the targets.
    let start: Int
    let count: Int
    /// The offset of the member's name.
    let offset: Int
  }

  /// A position on the stack. The members after it belong to a record that began there.
  struct Mark {
    let members: Int
    let targets: Int
    let arena: Int
  }

  private(set) var members: [Member] = []
  /// The field of each member. They are in a separate array, which is compared with the fields of
  /// other rows.
  private(set) var fields: [Int] = []
  /// The rows that the members refer to.
  private(set) var targets: [RecordID] = []
  private(set) var arena: [UInt8] = []

  var mark: Mark { Mark(members: members.count, targets: targets.count, arena: arena.count) }

  mutating func append(_ member: Member, field: Int) {
    fields.append(field)
    members.append(member)
  }

  /// Appends a target, and returns its position.
  @discardableResult
  mutating func append(_ target: RecordID) -> Int {
    targets.append(target)
    return targets.count - 1
  }

  /// Appends a text to the arena, and returns its start.
  mutating func append(text: [UInt8]) -> Int {
    arena.append(contentsOf: text)
    return arena.count - text.count
  }

  mutating func removeAll() {
    fields.removeAll(keepingCapacity: true)
    members.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }

  mutating func removeAll(from mark: Mark) {
    fields.removeLast(fields.count - mark.members)
    members.removeLast(members.count - mark.members)
    targets.removeLast(targets.count - mark.targets)
    arena.removeLast(arena.count - mark.arena)
  }

  /// Calls the closure with the text of a member; nil for a member with targets.
  func withText<Result>(
    of member: Member, _ reader: borrowing JSONReader,
    _ body: (UnsafeBufferPointer<UInt8>?) -> Result
  ) -> Result {
    let range = member.start..<member.start + member.count
    switch member.kind {
    case .text: return body(reader.bytes(range))
    case .arena:
      return arena.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    case .one, .many: return body(nil)
    }
  }

  /// Writes the members after a mark in the stored form.
  ///
  /// - Parameter texts: The texts of the members, which replace the previous ones.
  /// - Returns: The targets of the members.
  func write(
    _ shape: RowShape, from mark: Mark, _ reader: borrowing JSONReader, to texts: inout [UInt8]
  ) -> RecordTargets {
    texts.removeAll(keepingCapacity: true)
    var ordered: [RecordID] = []
    let isSingle = targets.count - mark.targets == 1 && shape.duplicates.isEmpty
    for position in shape.order {
      let member = members[mark.members + position]
      let range = member.start..<member.start + member.count
      switch member.kind {
      case .text: texts.append(contentsOf: reader.bytes(range))
      case .arena: texts.append(contentsOf: arena[range])
      case .one: texts.append(RecordBody.oneMark)
      case .many: RecordValue.appendMark(many: member.count, to: &texts)
      }
      texts.append(RecordBody.end)
      if !isSingle, member.kind == .one || member.kind == .many {
        ordered.append(contentsOf: targets[range])
      }
    }
    return isSingle ? .one(targets[mark.targets]) : RecordTargets(ordered)
  }
}
