import EntiaCollections
import EntiaDatabase
import Foundation

/// Checks the code that is generated for an entity, with some of its rows.
struct GeneratedRow {
  let encoder: JSONEncoder
  let decoder: JSONDecoder

  /// Checks that a row is read as it was written, and that its `Codable` has the same form. Checks
  /// that a merge takes the members that one side changed.
  /// - Parameters:
  ///   - row: The row.
  ///   - other: Another row of its table.
  /// - Throws: `LawFailure` for generated code that does otherwise.
  func check(_ row: some EntityType, beside other: (any EntityType)?) throws {
    guard let generated = row as? any RowCodable & EntityType else { return }
    try checkForms(of: generated)
    try checkMerge(of: generated, with: other)
  }

  private func checkForms<Row: RowCodable & EntityType>(of row: Row) throws {
    let data = try encoder.encode(CodedEntity(row))
    let label = "\(EntityLabel(row.entityID))"
    // Transient members are not encoded, so they are restored before the comparison.
    let members = RowMembers<Row>()
    let read = try decoder.decode(CodedEntity<Row>.self, from: data).row
    try require(
      haveSameValue(members.restored(read, row), row),
      "\(label) is written and read as \(read)")
    let other = try encoder.encode(row)
    try require(
      other == data,
      """
      \(label) is written as \(String(decoding: data, as: UTF8.self)), and by Codable as \
      \(String(decoding: other, as: UTF8.self))
      """)
    let decoded = try decoder.decode(Row.self, from: data)
    try require(haveSameValue(decoded, read), "\(label) is decoded by Codable as \(decoded)")
  }

  private func checkMerge<Row: RowCodable & EntityType>(
    of row: Row, with other: (any EntityType)?
  ) throws {
    let changed = other as? Row ?? row
    var merger = RowMerger()
    let (theirs, mine) = (
      Row(merging: row, with: changed, base: row, by: &merger),
      Row(merging: changed, with: row, base: row, by: &merger)
    )
    try require(
      haveSameValue(theirs, changed) && haveSameValue(mine, changed) && merger.conflicts.isEmpty,
      "\(changed), merged with its unchanged version \(row), is \(theirs) or \(mine)")
  }
}
