/// A record without an ID that has been read, and waits for that of its parent.
struct DeferredRow {
  let entity: EntityStage
  /// The member of the parent, and the position in it if it is a list.
  let member: String
  let position: Int?
  let names: [ExactString]
  let targets: RecordTargets
  let texts: [UInt8]
  let origin: Origin

  /// What stands for the row, where it is named, until it has an ID: its place among those that
  /// wait.
  static func placeholder(_ index: Int) -> RecordID {
    RecordID(RecordIDNode(entity: label, key: .number(JSONNumber(index)), hash: 0))
  }

  /// The place of the row that an ID stands for; nil if it is an ID in truth.
  static func index(_ id: RecordID) -> Int? {
    guard id.node.entity === label, case .number(let number) = id.key else { return nil }
    return number.integer
  }

  private static let label = EntityName("")
}
