/// For each relationship and each index of a database, the byte ranges of a row on which the
/// relationship or index depends. The order is the order of declaration.
@frozen
@usableFromInline
struct StoredKeys {
  /// The byte ranges of one part.
  @frozen
  @usableFromInline
  struct Part {
    /// The index of the part's first number in `numbers`; -1 when the ranges are not known.
    var start: Int
    var end: Int
  }

  let parts: UnsafeMutablePointer<Part>
  /// The number of relationships and indexes.
  @usableFromInline let count: Int
  /// Pairs of an offset and a number of bytes.
  let numbers: UnsafeMutablePointer<Int>

  // The unsafe steps are sound because
  // - the memory is written once, here, and freed by the layout that owns the keys;
  // - the parts are visited in the same order every time, as `visitParts` requires;
  // - each range contains the bytes of a stored property of the compared rows.

  init(_ ranges: [[Range<Int>]?]) {
    count = ranges.count
    parts = .allocate(capacity: count)
    var numbers: [Int] = []
    for (position, ranges) in ranges.enumerated() {
      var part = Part(start: -1, end: -1)
      if let ranges {
        part.start = numbers.count
        for range in ranges { numbers += [range.lowerBound, range.count] }
        part.end = numbers.count
      }
      (parts + position).initialize(to: part)
    }
    self.numbers = .allocate(capacity: numbers.count)
    self.numbers.initialize(from: numbers, count: numbers.count)
  }

  func deallocate() {
    parts.deallocate()
    numbers.deallocate()
  }

  /// Returns whether all ranges of a part have the same bytes in two rows; `false` if the ranges
  /// are not known.
  // Not inlined, because every kind of write to every table would contain it once for each part.
  @usableFromInline
  func areSame(_ position: Int, in old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> Bool {
    let part = parts[position]
    if part.start < 0 { return false }
    var place = part.start
    while place < part.end {
      let offset = numbers[place]
      if !Self.haveSameBytes(old + offset, new + offset, numbers[place &+ 1]) { return false }
      place &+= 2
    }
    return true
  }

  @inline(__always)
  private static func haveSameBytes(
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int
  ) -> Bool {
    var place = 0
    while place &+ 8 <= count {
      let word = a.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word != b.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
      place &+= 8
    }
    while place < count {
      let byte = a.load(fromByteOffset: place, as: UInt8.self)
      if byte != b.load(fromByteOffset: place, as: UInt8.self) { return false }
      place &+= 1
    }
    return true
  }
}

/// A relationship or an index that depends only on stored properties of a row.
///
/// An update that leaves the bytes of these properties unchanged does not affect the relationship
/// or index. A batch compares the bytes, because reading all keys takes several times longer than
/// changing a row.
protocol StoredKeyPart {
  /// The byte ranges of the stored properties of a row on which the part depends; `nil` if the part
  /// depends on anything else.
  var keyRanges: [Range<Int>]? { get }
}

/// Returns the byte range of a stored property in the root, or `nil` for any other path.
func storedRange<Root>(of path: PartialKeyPath<Root>) -> Range<Int>? {
  func range<Value>(_ type: Value.Type) -> Range<Int>? {
    guard let path = path as? KeyPath<Root, Value>,
      let offset = MemoryLayout<Root>.offset(of: path)
    else { return nil }
    return offset..<offset + MemoryLayout<Value>.size
  }
  return _openExistential(type(of: path).valueType, do: range)
}

extension FieldReader {
  /// The byte range of the field in the root; `nil` when it is not a stored property.
  var range: Range<Int>? { offset.map { $0..<$0 + MemoryLayout<Value>.size } }
}

extension IndexKeyReader: StoredKeyPart {
  var keyRanges: [Range<Int>]? {
    // A condition may read any field.
    if condition != nil { return nil }
    switch source {
    case .field(let reader): return reader.range.map { [$0] }
    case .optionalField(let reader): return reader.range.map { [$0] }
    case .closure: return closureRanges
    }
  }

  /// The ranges of the fields from which the closure computes the key.
  private var closureRanges: [Range<Int>]? {
    var ranges: [Range<Int>] = []
    for field in fields {
      guard let path = field.path, let range = storedRange(of: path) else { return nil }
      ranges.append(range)
    }
    return ranges
  }
}

extension StoredKeyPart where Self: KeyedIndexType {
  var keyRanges: [Range<Int>]? { keyReader.keyRanges }
}

extension Indexes.Sorted: StoredKeyPart {}
extension Indexes.Hash: StoredKeyPart {}
extension Indexes.GroupBy: StoredKeyPart {}
extension Indexes.Unique: StoredKeyPart {}

extension Indexes.Text: StoredKeyPart {
  var keyRanges: [Range<Int>]? {
    let ranges = indexed.map { storedRange(of: $0.path) }
    let known = ranges.compactMap { $0 }
    return known.count == ranges.count ? known : nil
  }
}

extension Indexes.Substring: StoredKeyPart {
  var keyRanges: [Range<Int>]? { storedRange(of: field.path).map { [$0] } }
}

extension ToOne: StoredKeyPart {
  var keyRanges: [Range<Int>]? {
    switch key {
    case .required(let reader): reader.range.map { [$0] }
    case .optional(let reader): reader.range.map { [$0] }
    case .derived: nil
    }
  }
}

extension ToMany: StoredKeyPart {
  var keyRanges: [Range<Int>]? {
    if case .list(let reader) = key { reader.range.map { [$0] } } else { nil }
  }
}

// Held IDs, and the times and answers of received rows, depend on whether a row exists, but not on
// the value of the row.
extension StoredKeyPart where Self: IndexType {
  var keyRanges: [Range<Int>]? { [] }
}

extension Indexes.OrderedID: StoredKeyPart {}
extension Indexes.Set: StoredKeyPart {}
extension Indexes.Age: StoredKeyPart {}
extension Indexes.Responses: StoredKeyPart {}
