import Testing

@testable import EntiaSQLite

/// Stores a value as a member of a row, reads it back, and returns its form.
@discardableResult
func checkStored<Value: Codable>(
  _ value: Value, by isSame: (Value, Value) -> Bool, _ location: SourceLocation = #_sourceLocation
) throws -> StoredValue {
  let encoder = RowEncoder()
  try encoder.encode(MemberRow(member: value))
  let connection = try SQLiteConnection(path: nil, mode: .readWrite)
  let statement = try connection.prepare("SELECT ?")
  let form = encoder.cells.first ?? .null
  try statement.bind(form, at: 0)
  #expect(try statement.step(), sourceLocation: location)
  let found = try RowDecoder(members: encoder.members).decode(
    MemberRow<Value>.self, from: statement
  )
  .member
  #expect(isSame(found, value), "\(found), \(form)", sourceLocation: location)
  return form
}

@discardableResult
func checkStored<Value: Codable & Equatable>(
  _ value: Value, _ location: SourceLocation = #_sourceLocation
) throws -> StoredValue { try checkStored(value, by: ==, location) }

/// Stores a row, reads it back, and returns its cells.
@discardableResult
func checkStoredRow<Row: Codable & Equatable>(
  _ row: Row, _ location: SourceLocation = #_sourceLocation
) throws -> [StoredValue] {
  let encoder = RowEncoder()
  try encoder.encode(row)
  let connection = try SQLiteConnection(path: nil, mode: .readWrite)
  let statement = try connection.prepare(
    "SELECT " + encoder.members.map { _ in "?" }.joined(separator: ","))
  for (index, cell) in encoder.cells.enumerated() { try statement.bind(cell, at: index) }
  #expect(try statement.step(), sourceLocation: location)
  let found = try RowDecoder(members: encoder.members).decode(Row.self, from: statement)
  #expect(found == row, sourceLocation: location)
  return encoder.cells
}

struct MemberRow<Value: Codable>: Codable {
  var member: Value
}

extension RowDecoder {
  /// Returns the current row of a statement as a value.
  func decode<Row: Decodable>(_ type: Row.Type, from statement: SQLiteStatement) throws -> Row {
    let chunk = RowChunk()
    chunk.add(statement.row, columnCount: statement.columnCount)
    return try withExtendedLifetime(chunk) {
      begin(chunk.last)
      return try decode(type)
    }
  }
}

extension RowChunk {
  /// Adds a row of a statement's result.
  func add(_ row: SQLiteRow, columnCount: Int) {
    addRow(columnCount: columnCount)
    for index in 0..<columnCount { set(row.value(at: index), at: index) }
  }
}
