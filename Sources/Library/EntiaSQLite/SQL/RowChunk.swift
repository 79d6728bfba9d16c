import Foundation

/// Rows of values in memory: rows that were read and are not yet decoded, or rows that were encoded
/// and are not yet written.
///
/// Texts and blobs are ranges of one buffer, so that a row needs no allocation of its own. The
/// properties are `@exclusivity(unchecked)`, because no `encode(to:)` or `init(from:)` of a row
/// runs while a property is accessed.
final class RowChunk {
  /// When rows are read into the chunk, the chunk is full after this number of rows.
  static let rowLimit = 256
  /// When rows are read into the chunk, the chunk is full after this number of bytes of texts and
  /// blobs.
  static let byteLimit = 1 << 16

  /// The largest capacity in bytes that `reset()` keeps. The limit applies to the values, and
  /// separately to the texts and blobs.
  private static let keptBytes = 1 << 18

  /// A value.
  struct Value {
    /// An integer, the bits of a floating-point number, or the start of a text or blob.
    let bits: UInt64
    /// The number of bytes, and the storage class.
    private let word: UInt64

    var kind: SQLiteRow.Kind {
      switch word & 7 {
      case 1: .integer
      case 2: .real
      case 3: .text
      case 4: .blob
      default: .null
      }
    }
    var count: Int { Int(word >> 3) }

    private init(_ bits: UInt64, kind: UInt64, count: Int = 0) {
      self.bits = bits
      word = UInt64(count) << 3 | kind
    }

    static var null: Value { Value(0, kind: 0) }
    static func integer(_ number: Int64) -> Value { Value(UInt64(bitPattern: number), kind: 1) }
    static func real(_ number: Double) -> Value { Value(number.bitPattern, kind: 2) }
    static func text(at start: Int, count: Int) -> Value {
      Value(UInt64(start), kind: 3, count: count)
    }
    static func blob(at start: Int, count: Int) -> Value {
      Value(UInt64(start), kind: 4, count: count)
    }
  }

  /// The number of rows.
  var count: Int { starts.count }
  /// The number of bytes of texts and blobs.
  @exclusivity(unchecked) private(set) var byteCount = 0
  /// The number of bytes of all values.
  var size: Int { byteCount + valueCount * MemoryLayout<Value>.stride }
  /// The index of the first value of each row.
  @exclusivity(unchecked) private var starts: ContiguousArray<Int> = []
  @exclusivity(unchecked) private var values = UnsafeMutablePointer<Value>.allocate(capacity: 16)
  @exclusivity(unchecked) private var valueCount = 0
  @exclusivity(unchecked) private var valueCapacity = 16
  @exclusivity(unchecked) private var bytes = UnsafeMutableRawPointer.allocate(
    byteCount: 256, alignment: 1)
  @exclusivity(unchecked) private var byteCapacity = 256

  deinit {
    values.deallocate()
    bytes.deallocate()
  }

  /// A row, valid until rows are added or removed.
  subscript(index: Int) -> ChunkRow {
    let start = starts[index]
    let end = index + 1 < starts.count ? starts[index + 1] : valueCount
    return ChunkRow(values: values + start, count: end - start, bytes: bytes)
  }

  /// The row that was added last; a row of NULLs if there are no rows.
  var last: ChunkRow { starts.isEmpty ? .none : self[starts.count - 1] }

  /// Removes all rows.
  func removeAll() {
    starts.removeAll(keepingCapacity: true)
    valueCount = 0
    byteCount = 0
  }

  /// Removes all rows, and releases memory above a limit.
  func reset() {
    removeAll()
    if byteCapacity > Self.keptBytes {
      bytes.deallocate()
      byteCapacity = 256
      bytes = .allocate(byteCount: byteCapacity, alignment: 1)
    }
    if valueCapacity > Self.keptBytes / MemoryLayout<Value>.stride {
      values.deallocate()
      valueCapacity = 16
      values = .allocate(capacity: valueCapacity)
      starts = []
    }
  }

  /// Adds a row whose values are NULL.
  func addRow(columnCount: Int) {
    starts.append(valueCount)
    extendRow(by: columnCount)
  }

  /// Adds columns to the row that was added last. Their values are NULL.
  func extendRow(by count: Int) {
    if valueCount + count > valueCapacity { growValues(to: valueCount + count) }
    (values + valueCount).initialize(repeating: .null, count: count)
    valueCount += count
  }

  private func growValues(to count: Int) {
    valueCapacity = max(count, 2 * valueCapacity)
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: valueCapacity)
    larger.moveInitialize(from: values, count: valueCount)
    values.deallocate()
    values = larger
  }

  private func growBytes(to count: Int) {
    byteCapacity = max(count, 2 * byteCapacity)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 1)
    larger.copyMemory(from: bytes, byteCount: byteCount)
    bytes.deallocate()
    bytes = larger
  }

  /// Appends bytes to the texts and blobs.
  /// - Returns: The offset at which the bytes begin.
  @inline(__always)
  private func append(_ added: UnsafeRawBufferPointer) -> Int {
    let start = byteCount
    if start + added.count > byteCapacity { growBytes(to: start + added.count) }
    if let address = added.baseAddress {
      (bytes + start).copyMemory(from: address, byteCount: added.count)
    }
    byteCount = start + added.count
    return start
  }
}

// Values of the row that was added last.
extension RowChunk {
  /// Sets a value to an integer, a floating-point number or NULL.
  @inline(__always)
  func setValue(_ value: Value, at index: Int) { values[starts[starts.count - 1] + index] = value }

  /// Sets a value to a text.
  @inline(__always)
  func setText(_ text: UnsafeRawBufferPointer, at index: Int) {
    setValue(.text(at: append(text), count: text.count), at: index)
  }

  /// Sets a value to a text.
  @inline(__always)
  func setText(_ text: String, at index: Int) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      setText(UnsafeRawBufferPointer($0), at: index)
    }
    if isDone == nil {
      Array(text.utf8).withUnsafeBytes { setText($0, at: index) }
    }
  }

  /// Sets a value to a blob.
  func setBlob(_ blob: UnsafeRawBufferPointer, at index: Int) {
    setValue(.blob(at: append(blob), count: blob.count), at: index)
  }

  /// Sets a value.
  func set(_ value: StoredValue, at index: Int) {
    switch value {
    case .null: setValue(.null, at: index)
    case .integer(let number): setValue(.integer(number), at: index)
    case .real(let number): setValue(.real(number), at: index)
    case .text(let text): setText(text, at: index)
    case .blob(let bytes): bytes.withUnsafeBytes { setBlob($0, at: index) }
    }
  }
}

// Reading.
extension RowChunk {
  /// Whether no further row is read into the chunk.
  var isFull: Bool { count >= Self.rowLimit || byteCount >= Self.byteLimit }

  /// Copies values of SQLite into columns of the row that was added last.
  @inline(__always)
  func set(_ sources: UnsafePointer<OpaquePointer?>, _ columns: Range<Int>) {
    let place = values + starts[starts.count - 1] + columns.lowerBound
    for index in 0..<columns.count {
      place[index] =
        switch SQLiteRow.column(sources[index]) {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(at: append(text), count: text.count)
        case .blob(let blob): .blob(at: append(blob), count: blob.count)
        }
    }
  }
}

/// A row of a chunk. The chunk must exist unchanged as long as the row is used.
struct ChunkRow {
  /// The values; if `nil`, all values are NULL.
  private let values: UnsafePointer<RowChunk.Value>?
  /// The number of values. A column with a greater index has the value NULL.
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
  private func text(at index: Int) -> String { String(decoding: bytes(at: index), as: UTF8.self) }

  /// Returns a string, or `nil` if the bytes are not UTF-8.
  @inline(__always)
  func validText(at index: Int) -> String? {
    let bytes = bytes(at: index)
    let text = String(decoding: bytes, as: UTF8.self)
    return text.isRepaired(from: bytes) ? nil : text
  }

  /// Returns the bytes of a text or blob.
  @inline(__always)
  func bytes(at index: Int) -> UnsafeRawBufferPointer {
    guard let value = values?[index], let bytes else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: bytes + Int(value.bits), count: value.count)
  }

  /// Returns a value, valid as long as the row.
  @inline(__always)
  func column(_ index: Int) -> SQLiteRow.Column {
    switch kind(at: index) {
    case .null: .null
    case .integer: .integer(integer(at: index))
    case .real: .real(real(at: index))
    case .text: .text(bytes(at: index))
    case .blob: .blob(bytes(at: index))
    }
  }

  /// Returns a value. A text that is not UTF-8 is repaired.
  func value(at index: Int) -> StoredValue {
    switch kind(at: index) {
    case .null: .null
    case .integer: .integer(integer(at: index))
    case .real: .real(real(at: index))
    case .text: .text(text(at: index))
    case .blob: .blob([UInt8](bytes(at: index)))
    }
  }

  /// Returns whether the value at an index has the storage class and the bytes of `value`.
  @inline(__always)
  func has(_ value: StoredValue, at index: Int) -> Bool { value.withColumn { has($0, at: index) } }

  /// Returns whether the value at an index has the storage class and the bytes of `value`.
  @inline(__always)
  func has(_ value: SQLiteRow.Column, at index: Int) -> Bool {
    let own: RowChunk.Value = index < count ? values?[index] ?? .null : .null
    return switch value {
    case .null: own.kind == .null
    case .integer(let number): own.kind == .integer && own.bits == UInt64(bitPattern: number)
    case .real(let number): own.kind == .real && own.bits == number.bitPattern
    case .text(let bytes): own.kind == .text && own.count == bytes.count && has(bytes, at: own)
    case .blob(let bytes): own.kind == .blob && own.count == bytes.count && has(bytes, at: own)
    }
  }

  /// Returns whether a text or blob has the bytes of another one of the same length.
  @inline(__always)
  private func has(_ other: UnsafeRawBufferPointer, at value: RowChunk.Value) -> Bool {
    guard let bytes, let start = other.baseAddress else { return true }
    return memcmp(bytes + Int(value.bits), start, value.count) == 0
  }
}
