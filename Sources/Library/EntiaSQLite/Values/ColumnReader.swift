import EntiaCoding
import EntiaDatabase

/// Reads the members of the current row of a decoder, for generated code.
///
/// The reader does not retain the columns. The containers of a decoder do not retain them either.
struct ColumnReader: RowReader {
  static var hasNestedEntities: Bool { false }

  private let columns: UnsafeMutablePointer<RowColumns>

  init(_ columns: UnsafeMutablePointer<RowColumns>) { self.columns = columns }

  func hasMember(_ name: StaticString) -> Bool {
    columns.pointee.row.kind(at: columns.pointee.column(name)) != .null
  }

  func codingPath(_ name: StaticString) -> [any CodingKey] { [NamedKey(name.description)] }

  func member(_ name: StaticString) throws -> String {
    let index = columns.pointee.column(name)
    if columns.pointee.row.kind(at: index) == .text,
      let text = columns.pointee.row.validText(at: index)
    {
      return text
    }
    return try other(name, index)
  }

  func memberIfPresent(_ name: StaticString) throws -> String? {
    let index = columns.pointee.column(name)
    switch columns.pointee.row.kind(at: index) {
    case .text:
      guard let text = columns.pointee.row.validText(at: index) else { break }
      return text
    case .null: return nil
    default: break
    }
    return try otherIfPresent(name, index)
  }

  func member(_ name: StaticString) throws -> Int {
    let index = columns.pointee.column(name)
    if columns.pointee.row.kind(at: index) == .integer,
      let number = Int(exactly: columns.pointee.row.integer(at: index))
    {
      return number
    }
    return try other(name, index)
  }

  func memberIfPresent(_ name: StaticString) throws -> Int? {
    let index = columns.pointee.column(name)
    switch columns.pointee.row.kind(at: index) {
    case .integer:
      guard let number = Int(exactly: columns.pointee.row.integer(at: index)) else { break }
      return number
    case .null: return nil
    default: break
    }
    return try otherIfPresent(name, index)
  }

  func member(_ name: StaticString) throws -> Double {
    let index = columns.pointee.column(name)
    if columns.pointee.row.kind(at: index) == .real { return columns.pointee.row.real(at: index) }
    return try other(name, index)
  }

  func memberIfPresent(_ name: StaticString) throws -> Double? {
    let index = columns.pointee.column(name)
    switch columns.pointee.row.kind(at: index) {
    case .real: return columns.pointee.row.real(at: index)
    case .null: return nil
    default: return try otherIfPresent(name, index)
    }
  }

  func member(_ name: StaticString) throws -> Bool {
    let index = columns.pointee.column(name)
    if let bool = columns.pointee.bool(at: index) { return bool }
    return try other(name, index)
  }

  func memberIfPresent(_ name: StaticString) throws -> Bool? {
    let index = columns.pointee.column(name)
    if let bool = columns.pointee.bool(at: index) { return bool }
    return try otherIfPresent(name, index)
  }

  func value<Value: Decodable>(_ name: StaticString) throws -> Value {
    try value(name, columns.pointee.column(name))
  }

  func valueIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    let index = columns.pointee.column(name)
    if columns.pointee.isNil(at: index) { return nil }
    // Without the type annotation, `value` would be inferred and decoded as an optional.
    let value: Value = try value(name, index)
    return value
  }

  @inline(__always)
  private func value<Value: Decodable>(_ name: StaticString, _ index: Int) throws -> Value {
    if index == NamedColumns.missing { return try other(name, index) }
    let stored = columns.pointee.storedType(of: index, Value.self)
    return try stored.value(Value.self, of: columns.pointee.row, at: index) {
      try other(name, index)
    }
  }

  /// Returns a value that needs a decoder.
  @inline(never)
  private func other<Value: Decodable>(_ name: StaticString, _ index: Int) throws -> Value {
    let key = NamedKey(name.description)
    if index == NamedColumns.missing { throw RowColumns.missing(key) }
    return try columns.pointee.cell(at: index, [key]).decode(Value.self)
  }

  @inline(never)
  private func otherIfPresent<Value: Decodable>(
    _ name: StaticString, _ index: Int
  ) throws -> Value? {
    if columns.pointee.isNil(at: index) { return nil }
    let value: Value = try other(name, index)
    return value
  }
}
