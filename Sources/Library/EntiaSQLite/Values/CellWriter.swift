import EntiaCoding
import EntiaDatabase

/// The current row of an encoder, which generated code writes.
struct CellWriter: RowWriter {
  static var hasNestedEntities: Bool { false }

  private let row: RowCells

  init(_ row: RowCells) { self.row = row }

  func setMember(_ name: StaticString, to value: String) {
    row.chunk.setText(value, at: row.place(name))
  }

  func setMember(_ name: StaticString, to value: Int) {
    row.chunk.setValue(.integer(Int64(value)), at: row.place(name))
  }

  func setMember(_ name: StaticString, to value: Double) {
    row.chunk.set(value, at: row.place(name))
  }

  func setMember(_ name: StaticString, to value: Bool) {
    row.chunk.setValue(.integer(value ? 1 : 0), at: row.place(name))
  }

  func setValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    let index = row.place(name)
    if row.setScalar(value, at: index) { return }
    row.chunk.set(try form(of: value, name), at: index)
  }

  func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    let index = row.place(name)
    if row.setScalar(value, at: index) { return }
    row.chunk.set(StoredForm.present(try form(of: value, name)), at: index)
  }

  func setMissing(_ name: StaticString) { row.chunk.setValue(.null, at: row.place(name)) }

  func setNull(_ name: StaticString) {
    row.chunk.set(StoredForm.explicitNil, at: row.place(name))
  }

  @inline(never)
  private func form(of value: some Encodable, _ name: StaticString) throws -> StoredValue {
    try row.values.form(of: value, at: [NamedKey(name.description)])
  }
}
