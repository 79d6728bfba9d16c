import EntiaDatabase
import Foundation

/// How values of a Swift type are stored. For a type other than `other`, the type alone determines
/// how its values are converted.
///
/// The stored type of each column is cached, because finding the stored type of a Swift type takes
/// longer than converting a value.
enum StoredType {
  case string
  case int
  case double
  case bool
  case date
  /// A UUID, or a typed ID of UUIDs, which is stored in memory as its raw value.
  case uuid
  /// A typed ID of integers, which is stored in memory as its raw value.
  case intID
  /// A typed ID of strings, which is stored in memory as its raw value.
  case stringID
  /// A typed ID of strings, which is stored in memory as its raw value with a hash.
  case hashedStringID
  /// A type whose values need an encoder and a decoder.
  case other

  /// Creates the stored type of a Swift type.
  init<Value>(_ type: Value.Type) {
    let any: Any.Type = type
    if any == String.self {
      self = .string
    } else if any == Int.self {
      self = .int
    } else if any == Double.self {
      self = .double
    } else if any == Bool.self {
      self = .bool
    } else if any == Date.self {
      self = .date
    } else if any == UUID.self {
      self = .uuid
    } else if let identifier = any as? any StoredIdentifier.Type {
      self = identifier.storedType
    } else {
      self = .other
    }
  }
}

/// A typed ID.
private protocol StoredIdentifier {
  static var storedType: StoredType { get }
}

extension EntityIdentifier: StoredIdentifier {
  /// The stored type of an ID, which depends on the storage of the raw value. An ID can be cast to
  /// its storage, because the storage is the only stored property of an ID.
  fileprivate static var storedType: StoredType {
    let storage: Any.Type = Entity.EntityIDStorage.self
    if storage == PlainIDStorage<Int>.self { return .intID }
    // The layout is that of `Int`.
    if Int.bitWidth == 64, storage == PlainIDStorage<Int64>.self { return .intID }
    if storage == PlainIDStorage<String>.self { return .stringID }
    if storage == HashedStringIDStorage.self { return .hashedStringID }
    if storage == PlainIDStorage<UUID>.self { return .uuid }
    return .other
  }
}

extension StoredType {
  /// Returns the form of a value of this type; `nil` for a type that needs an encoder.
  @inline(__always)
  func form<Value>(of value: Value) -> StoredValue? {
    switch self {
    case .string: .text(unsafeBitCast(value, to: String.self))
    case .int: .integer(Int64(unsafeBitCast(value, to: Int.self)))
    case .double: StoredForm.form(of: unsafeBitCast(value, to: Double.self))
    case .bool: StoredForm.form(of: unsafeBitCast(value, to: Bool.self))
    case .date:
      StoredForm.form(of: unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate)
    case .uuid: .text(unsafeBitCast(value, to: UUID.self).uuidString)
    case .intID: .integer(Int64(unsafeBitCast(value, to: PlainIDStorage<Int>.self).raw))
    case .stringID: .text(unsafeBitCast(value, to: PlainIDStorage<String>.self).raw)
    case .hashedStringID: .text(unsafeBitCast(value, to: HashedStringIDStorage.self).raw)
    case .other: nil
    }
  }

  /// Returns whether a column of a row contains the stored form of a value; `false` for a type that
  /// needs an encoder. A UUID in the column may be spelled in lower case.
  func isForm<Value>(of value: Value, _ row: ChunkRow, at index: Int) -> Bool {
    if case .uuid = self { return row.uuid(at: index) == unsafeBitCast(value, to: UUID.self) }
    return form(of: value).map { row.has($0, at: index) } ?? false
  }

  /// Writes the form of `value` into the column `index` of the last row of `chunk`.
  /// - Returns: Whether the form was written; `false` for a type that needs an encoder.
  @inline(__always)
  func set<Value>(_ value: Value, in chunk: RowChunk, at index: Int) -> Bool {
    switch self {
    case .string: chunk.setText(unsafeBitCast(value, to: String.self), at: index)
    case .int: chunk.setValue(.integer(Int64(unsafeBitCast(value, to: Int.self))), at: index)
    case .double: chunk.set(unsafeBitCast(value, to: Double.self), at: index)
    case .bool: chunk.setValue(.integer(unsafeBitCast(value, to: Bool.self) ? 1 : 0), at: index)
    case .date:
      chunk.set(unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate, at: index)
    case .uuid: chunk.setText(unsafeBitCast(value, to: UUID.self).uuidString, at: index)
    case .intID:
      let id = unsafeBitCast(value, to: PlainIDStorage<Int>.self)
      chunk.setValue(.integer(Int64(id.raw)), at: index)
    case .stringID:
      chunk.setText(unsafeBitCast(value, to: PlainIDStorage<String>.self).raw, at: index)
    case .hashedStringID:
      chunk.setText(unsafeBitCast(value, to: HashedStringIDStorage.self).raw, at: index)
    case .other: return false
    }
    return true
  }

  /// Returns a value of the current row as this type.
  /// - Parameters:
  ///   - type: The type.
  ///   - row: The row.
  ///   - index: The column.
  ///   - decode: Decodes the value. The closure is called if the type or the value needs a decoder.
  @inline(__always)
  func value<Value>(
    _ type: Value.Type, of row: ChunkRow, at index: Int, orElse decode: () throws -> Value
  ) rethrows -> Value {
    switch (self, row.kind(at: index)) {
    case (.string, .text):
      guard let text = row.validText(at: index) else { return try decode() }
      return unsafeBitCast(text, to: type)
    case (.int, .integer):
      // If `Int` has fewer bits than the number, the decoder reports the error.
      guard let number = Int(exactly: row.integer(at: index)) else { return try decode() }
      return unsafeBitCast(number, to: type)
    case (.double, .real): return unsafeBitCast(row.real(at: index), to: type)
    case (.date, .real):
      let date = Date(timeIntervalSinceReferenceDate: row.real(at: index))
      return unsafeBitCast(date, to: type)
    case (.uuid, .text):
      guard let id = row.uuid(at: index) else { return try decode() }
      return unsafeBitCast(id, to: type)
    case (.intID, .integer):
      guard let number = Int(exactly: row.integer(at: index)) else { return try decode() }
      return unsafeBitCast(PlainIDStorage(number), to: type)
    case (.stringID, .text):
      guard let text = row.validText(at: index) else { return try decode() }
      return unsafeBitCast(PlainIDStorage(text), to: type)
    case (.hashedStringID, .text):
      guard let text = row.validText(at: index) else { return try decode() }
      return unsafeBitCast(HashedStringIDStorage(text), to: type)
    default: return try decode()
    }
  }
}

/// The stored types of columns. Each column caches the type that was looked up last.
struct StoredTypes {
  private var types: [(type: ObjectIdentifier, stored: StoredType)?] = []

  /// Returns the stored type of the values of a column.
  @inline(__always)
  mutating func type<Value>(of column: Int, _ value: Value.Type) -> StoredType {
    let id = ObjectIdentifier(value)
    if column < types.count, let found = types[column], found.type == id { return found.stored }
    return find(column, value)
  }

  @inline(never)
  private mutating func find<Value>(_ column: Int, _ value: Value.Type) -> StoredType {
    while types.count <= column { types.append(nil) }
    let stored = StoredType(value)
    types[column] = (ObjectIdentifier(value), stored)
    return stored
  }
}
