/// A row of a chunk, which must exist as long as the row.
struct ChunkRow {
  /// The values; without any, all are NULL.
  private let values: UnsafePointer<RowChunk.Value>?
  /// The number of values. Those of later columns are NULL.
  private let count: Int
  private let bytes: UnsafeRawPointer?

  /// A row whose values are NULL.
  static var none: ChunkRow { ChunkRow() }

  private init() { (values, count, bytes) = (nil, 0, nil) }

  init(values: UnsafePointer<RowChunk.Value>, count: Int, bytes: UnsafeRawPointer) {
    self.values = values
    self.count = count
    self.bytes = bytes
  }

  /// Returns the storage class of a value.
  @inline(__always)
  func kind(at index: Int) -> SQLiteRow.Kind {
    guard index < count, let values else { return .null }
    return values[index].kind
  }

  /// Returns an integer.
  @inline(__always)
  func integer(at index: Int) -> Int64 { Int64(bitPattern: values?[index].bits ?? 0) }

  /// Returns a floating-point number.
  @inline(__always)
  func real(at index: Int) -> Double { Double(bitPattern: values?[index].bits ?? 0) }

  /// Returns a string. Bytes that are not UTF-8 are repaired.
  @inline(__always)
  func text(at index: Int) -> String { String(decoding: bytes(at: index), as: UTF8.self) }

  /// Returns the bytes of a text or blob.
  @inline(__always)
  func bytes(at index: Int) -> UnsafeRawBufferPointer {
    guard let value = values?[index], let bytes else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: bytes + Int(value.bits), count: value.count)
  }

  /// Returns a value.
  func value(at index: Int) -> StoredValue {
    switch kind(at: index) {
    case .null: .null
    case .integer: .integer(integer(at: index))
    case .real: .real(real(at: index))
    case .text: .text(text(at: index))
    case .blob: .blob([UInt8](bytes(at: index)))
    }
  }

  /// Returns whether a value has the same storage class and the same bytes as another one.
  @inline(__always)
  func has(_ value: StoredValue, at index: Int) -> Bool {
    switch (value, kind(at: index)) {
    case (.null, .null): true
    case (.integer(let number), .integer): number == integer(at: index)
    case (.real(let number), .real): number.bitPattern == real(at: index).bitPattern
    case (.text(let text), .text): text.utf8.elementsEqual(bytes(at: index))
    case (.blob(let blob), .blob): blob.elementsEqual(bytes(at: index))
    default: false
    }
  }
}
