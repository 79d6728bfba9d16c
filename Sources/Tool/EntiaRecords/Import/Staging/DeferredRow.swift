import EntiaCoding
import EntiaJSON

/// A completed record without an ID, which is staged when the ID of its parent is known.
struct DeferredRow {
  let entity: EntityStage
  /// The member of the parent, and the position in it if it is an array.
  let member: String
  let position: Int?
  let names: MemberNames
  let targets: RecordTargets
  let texts: [UInt8]
  let origin: Origin

  /// Returns a placeholder for references to the row until it has an ID: its index among the
  /// deferred rows.
  static func placeholder(_ index: Int) -> RecordID {
    RecordID(RecordIDNode(entity: label, key: .number(JSONNumber(index)), hash: 0))
  }

  /// Returns the index of the deferred row of a placeholder, or nil for a proper ID.
  static func index(_ id: RecordID) -> Int? {
    guard id.node.entity === label, case .number(let number) = id.key else { return nil }
    return number.integer
  }

  private static let label = EntityName("")
}
