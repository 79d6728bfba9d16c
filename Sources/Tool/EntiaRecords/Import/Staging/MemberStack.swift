import EntiaCoding

/// The completed members of all open records. The members of the innermost record are last.
struct MemberStack: ~Copyable {
  /// The kind of a value. It determines where the value is stored.
  enum Kind {
    /// The canonical text in the input.
    case text
    /// The canonical text in the arena, because the text in the input is not canonical.
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

  private(set) var members = ScratchList<Member>()
  /// The field of each member. The fields are in a separate list, because it is compared with the
  /// fields of known row shapes.
  private(set) var fields = ScratchList<Int>()
  /// The rows that the members refer to.
  private(set) var targets = ScratchList<RecordID>()
  private(set) var arena = ScratchList<UInt8>()

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
    text.withUnsafeBufferPointer { arena.append(contentsOf: $0) }
    return arena.count - text.count
  }

  mutating func removeAll() {
    fields.removeAll()
    members.removeAll()
    targets.removeAll()
    arena.removeAll()
  }

  mutating func removeAll(from mark: Mark) {
    fields.removeAll(from: mark.members)
    members.removeAll(from: mark.members)
    targets.removeAll(from: mark.targets)
    arena.removeAll(from: mark.arena)
  }

  /// Calls the closure with the text of a member; nil for a member with targets.
  func withText<Result>(
    of member: Member, _ reader: borrowing JSONReader,
    _ body: (UnsafeBufferPointer<UInt8>?) -> Result
  ) -> Result {
    let range = member.start..<member.start + member.count
    switch member.kind {
    case .text: return body(reader.bytes(range))
    case .arena: return body(arena.elements(in: range))
    case .one, .many: return body(nil)
    }
  }

  /// Writes the members that follow a mark, in the stored form.
  ///
  /// - Parameter texts: The list for the texts of the members, which replace its previous content.
  /// - Returns: The targets of the members.
  func write(
    _ shape: RowShape, from mark: Mark, _ reader: borrowing JSONReader,
    to texts: inout ScratchList<UInt8>
  ) -> RecordTargets {
    texts.removeAll()
    var ordered: [RecordID] = []
    let isSingle = targets.count - mark.targets == 1 && shape.duplicates.isEmpty
    for position in shape.order {
      let member = members[mark.members + position]
      let range = member.start..<member.start + member.count
      switch member.kind {
      case .text: texts.append(contentsOf: reader.bytes(range))
      case .arena: texts.append(contentsOf: arena.elements(in: range))
      case .one: texts.append(RecordBody.oneMark)
      case .many: RecordValue.appendMark(many: member.count, to: &texts)
      }
      texts.append(RecordBody.end)
      if !isSingle, member.kind == .one || member.kind == .many {
        ordered.append(contentsOf: targets.elements(in: range))
      }
    }
    return isSingle ? .one(targets[mark.targets]) : RecordTargets(ordered)
  }
}

/// The members of a row, and the order in which they were read.
final class RowShape: Sendable {
  static let empty = RowShape([], names: [])

  /// The fields, in reading order.
  let sequence: [Int]
  /// The names in reading order, without duplicates.
  let names: MemberNames
  /// For each name in `names`, the index in `sequence` of its first occurrence.
  let order: [Int]
  /// The indices in `sequence` of members with a repeated name.
  let duplicates: [Int]

  init(_ sequence: [Int], names: [ExactString]) {
    self.sequence = sequence
    var known: Set<ExactString> = []
    var order: [Int] = []
    var duplicates: [Int] = []
    for (position, name) in names.enumerated() {
      if known.insert(name).inserted { order.append(position) } else { duplicates.append(position) }
    }
    self.order = order
    self.duplicates = duplicates
    self.names = MemberNames(order.map { names[$0] })
  }

  /// Returns whether a row with these fields, in reading order, has this shape.
  @inline(__always)
  func isOf(_ fields: UnsafeBufferPointer<Int>) -> Bool {
    sequence.withUnsafeBufferPointer { known in
      guard known.count == fields.count else { return false }
      for index in 0..<known.count where known[index] != fields[index] { return false }
      return true
    }
  }
}
