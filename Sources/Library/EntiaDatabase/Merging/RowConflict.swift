/// A row that both versions of a merge changed in different ways, for reports.
public struct RowConflict: Hashable, Sendable, CustomStringConvertible {
  /// The changes of both sides.
  public enum Reason: String, Hashable, Sendable {
    /// Both versions edited the row.
    case edited = "was edited by both"
    /// Both versions inserted a row with this ID.
    case insertedTwice = "was inserted by both"
    /// The row was removed in the receiving version and edited in the incoming version.
    case removedInMine = "was removed in mine and edited in theirs"
    /// The row was edited in the receiving version and removed in the incoming version.
    case removedInTheirs = "was edited in mine and removed in theirs"
    /// The row references an entity that was removed. Therefore, an undo or a redo did not restore
    /// the row, or removed it. Other merges do not report this.
    case targetRemoved = "references an entity that was removed"
    /// The row belongs to an entity that was removed. Therefore, an undo or a redo did not restore
    /// the row, or removed it. Other merges do not report this.
    case holderRemoved = "belongs to an entity that was removed"
  }

  /// The outcome for the row.
  public enum Outcome: String, Hashable, Sendable {
    /// The row of the receiving version was kept.
    case mine = "mine is kept"
    /// The row of the incoming version was taken.
    case theirs = "theirs is taken"
    /// The row that the merge's closure returned was taken.
    case other = "another is taken"
    /// The merge was refused.
    case refused = "nothing is merged"
  }

  /// A field whose values differ between the versions, as text.
  public struct Field: Hashable, Sendable, CustomStringConvertible {
    /// The name of the field.
    public let name: String
    /// The value in the common version, or `nil` when the version did not contain the row.
    public let base: String?
    /// The value in the receiving version.
    public let mine: String
    /// The value in the incoming version.
    public let theirs: String

    /// The field with its values.
    public var description: String {
      let base = base.map { "base \($0), " } ?? ""
      return "\(name): \(base)mine \(mine), theirs \(theirs)"
    }
  }

  /// The entity.
  public let entity: EntityLabel
  /// The changes of both sides.
  public let reason: Reason
  /// The contested fields, which both versions changed to different values. If no field is
  /// contested, the list contains all fields in which the versions differ. The list is empty if one
  /// of the versions lacks the row.
  public let fields: [Field]
  /// The names of the members that both versions changed in different ways, in the order of their
  /// declaration. If both versions inserted the row, the list has the names of the members that
  /// differ. A member is named as it is encoded. The list is empty if the row cannot be merged by
  /// its members. If the target or the holder of the row was removed, the list has the name of the
  /// relationship.
  public let members: [String]
  /// The outcome for the row.
  public let outcome: Outcome

  /// The entity, the reason, the fields, the members that are no fields, and the outcome.
  public var description: String {
    let others = members.filter { name in !fields.contains { $0.name == name } }
    let renamed = fields.filter { !members.contains($0.name) }
    // A field may be encoded under another name. `others` may therefore contain a name for each
    // field of `renamed`. If `others` has more names than `renamed`, at least one name does not
    // belong to a field. The code cannot identify this name, so all names in `others` are listed.
    let parts = fields.map(\.description) + (others.count > renamed.count ? others : [])
    let list = parts.isEmpty ? "" : " (\(parts.joined(separator: "; ")))"
    return "\(entity) \(reason.rawValue)\(list): \(outcome.rawValue)"
  }
}

extension RowConflict {
  /// Creates the conflict of a row that a delete rule removed in the course of an undo.
  init(_ lost: LostRow) {
    self.init(
      entity: lost.row, reason: lost.isHolder ? .targetRemoved : .holderRemoved, fields: [],
      members: [lost.relationship], outcome: lost.isRestored ? .mine : .theirs)
  }

  /// Whether a delete rule removed the row in the course of an undo or a redo.
  package var isLoss: Bool { reason == .targetRemoved || reason == .holderRemoved }

  init<Entity: EntityType>(
    _ conflict: MergeConflict<Entity>, outcome: Outcome, _ rows: RowMembers<Entity>
  ) {
    entity = EntityLabel(conflict.entityID)
    self.outcome = outcome
    switch (conflict.base, conflict.mine, conflict.theirs) {
    case (let base?, let mine?, let theirs?):
      reason = .edited
      fields = Self.differences(base, mine, theirs)
      members = rows.conflicts(base, mine, theirs)
    case (nil, let mine?, let theirs?):
      reason = .insertedTwice
      fields = Self.differences(nil, mine, theirs)
      members = rows.allDiffering(mine, theirs)
    case (_, nil, _):
      reason = .removedInMine
      fields = []
      members = []
    case (_, _, nil):
      reason = .removedInTheirs
      fields = []
      members = []
    }
  }

  /// Returns the fields that differ between two rows, as a mirror reflects them, for display
  /// only.
  private static func differences<Entity: EntityType>(
    _ base: Entity?, _ mine: Entity, _ theirs: Entity
  ) -> [Field] {
    let old = base.map { Array(Mirror(reflecting: $0).children) }
    let rows = zip(Mirror(reflecting: mine).children, Mirror(reflecting: theirs).children)
    var all: [Field] = []
    var contested: [Field] = []
    for (index, (mine, theirs)) in rows.enumerated() {
      let texts = (text(mine.value), text(theirs.value))
      guard texts.0 != texts.1, let name = Mirror.propertyName(of: mine)
      else { continue }
      let before = old.flatMap { index < $0.count ? text($0[index].value) : nil }
      let field = Field(name: name, base: before, mine: texts.0, theirs: texts.1)
      all.append(field)
      if let before, before != texts.0, before != texts.1 { contested.append(field) }
    }
    return contested.isEmpty ? all : contested
  }

  /// Returns the text of a value. The elements of a set or a dictionary are sorted by their text.
  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .set || mirror.displayStyle == .dictionary {
      return
        "[\(mirror.children.map { String(reflecting: $0.value) }.sorted().joined(separator: ", "))]"
    }
    return String(reflecting: value)
  }
}
