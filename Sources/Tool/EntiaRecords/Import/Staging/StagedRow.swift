import EntiaCoding
import EntiaJSON

/// A staged row, or a referenced ID whose row has not been read.
package struct StagedRow {
  let id: RecordID
  /// The row; nil while it has only been referenced.
  var record: Record?
  /// The origin of the first occurrence, or of the last replacement.
  var origin = Origin.database
  /// The last table, and in the lowest two bits the flags: a row takes 32 bytes so.
  private var tableAndFlags = Int32(-1) &<< 2

  package init(id: RecordID) { self.id = id }

  /// The last table that contained it, to detect rows that one table contains twice.
  package var table: Int32 {
    get { tableAndFlags &>> 2 }
    set { tableAndFlags = newValue &<< 2 | tableAndFlags & 3 }
  }

  /// Whether the row differs from that in the database.
  package var isChanged: Bool {
    get { tableAndFlags & 1 != 0 }
    set { tableAndFlags = tableAndFlags & ~1 | (newValue ? 1 : 0) }
  }

  /// Whether the row is at the top level of an input.
  package var isRoot: Bool {
    get { tableAndFlags & 2 != 0 }
    set { tableAndFlags = tableAndFlags & ~2 | (newValue ? 2 : 0) }
  }
}

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

/// A reference by a natural key of one value. It is valid only if the IDs of the referenced rows
/// are values of their fields, which is known when all records are read.
struct NaturalKeyReference {
  let origin: Origin
  /// The position of the entity of the row with the reference.
  let entity: Int
  let field: Int
  /// The position of the referenced row in its entity.
  let row: Int
}
