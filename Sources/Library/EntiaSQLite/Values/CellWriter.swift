import EntiaCoding
import EntiaDatabase

/// The current row of an encoder, which generated code writes.
///
/// It does not retain the cells, which exist as long as their encoder.
struct CellWriter: RowWriter {
  static var hasNestedEntities: Bool { false }

  private let row: Unmanaged<RowCells>

  init(_ row: RowCells) { self.row = .passUnretained(row) }

  func setMember(_ name: StaticString, to value: String) {
    row._withUnsafeGuaranteedRef { $0.set(value, name) }
  }

  func setMember(_ name: StaticString, to value: Int) {
    row._withUnsafeGuaranteedRef { $0.setValue(.integer(Int64(value)), name) }
  }

  func setMember(_ name: StaticString, to value: Double) {
    row._withUnsafeGuaranteedRef { $0.set(value, name) }
  }

  func setMember(_ name: StaticString, to value: Bool) {
    row._withUnsafeGuaranteedRef { $0.setValue(.integer(value ? 1 : 0), name) }
  }

  func setValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try row._withUnsafeGuaranteedRef { row in
      let index = row.place(name)
      if row.setScalar(value, at: index) { return }
      row.chunk.set(try Self.form(of: value, name, row), at: index)
    }
  }

  func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try row._withUnsafeGuaranteedRef { row in
      let index = row.place(name)
      if row.setScalar(value, at: index) { return }
      row.chunk.set(StoredForm.present(try Self.form(of: value, name, row)), at: index)
    }
  }

  func setMissing(_ name: StaticString) {
    row._withUnsafeGuaranteedRef { $0.setValue(.null, name) }
  }

  func setNull(_ name: StaticString) {
    row._withUnsafeGuaranteedRef { $0.chunk.set(StoredForm.explicitNil, at: $0.place(name)) }
  }

  @inline(never)
  private static func form(
    of value: some Encodable, _ name: StaticString, _ row: RowCells
  ) throws -> StoredValue {
    try row.values.form(of: value, at: [NamedKey(name.description)])
  }
}
