import EntiaCoding
import EntiaJSON

/// A staged row, or a referenced ID whose row has not been read.
package struct StagedRow {
  let id: RecordID
  /// The row; nil while it has only been referenced.
  var record: Record?
  /// The origin of the first occurrence, or of the last replacement.
  var origin = Origin.database
  /// The last table, with the flags in the lowest two bits, so that a row takes 32 bytes.
  private var tableAndFlags = Int32(-1) &<< 2

  package init(id: RecordID) { self.id = id }

  /// The last table with the row, to detect rows that occur twice in one table.
  package var table: Int32 {
    get { tableAndFlags &>> 2 }
    set { tableAndFlags = newValue &<< 2 | tableAndFlags & 3 }
  }

  /// Whether the row differs from the row in the database.
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

/// A completed record without an ID. It is staged when the ID of its parent is known.
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
/// are made from their fields. This is known when all records are read.
struct NaturalKeyReference {
  let origin: Origin
  /// The position of the entity of the row with the reference.
  let entity: Int
  let field: Int
  /// The position of the referenced row in its entity.
  let row: Int
}
