/// A relationship or an index that depends only on stored properties of a row.
///
/// An update that leaves the bytes of these properties unchanged does not affect the relationship
/// or index. A batch compares the bytes, because reading all keys takes several times longer than
/// changing a row.
protocol StoredKeyPart {
  /// The byte ranges in the row of the stored properties that the part depends on; `nil` when the
  /// part depends on anything else.
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

extension Indexes.Sorted: StoredKeyPart {
  var keyRanges: [Range<Int>]? { keyReader.keyRanges }
}

extension Indexes.Hash: StoredKeyPart {
  var keyRanges: [Range<Int>]? { keyReader.keyRanges }
}

extension Indexes.GroupBy: StoredKeyPart {
  var keyRanges: [Range<Int>]? { keyReader.keyRanges }
}

extension Indexes.Unique: StoredKeyPart {
  var keyRanges: [Range<Int>]? { keyReader.keyRanges }
}

extension Indexes.Text: StoredKeyPart {
  var keyRanges: [Range<Int>]? {
    let ranges = indexed.map { storedRange(of: $0.path) }
    let known = ranges.compactMap(\.self)
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

// Held IDs depend on the presence of a row only.
extension Indexes.OrderedID: StoredKeyPart {
  var keyRanges: [Range<Int>]? { [] }
}

extension Indexes.Set: StoredKeyPart {
  var keyRanges: [Range<Int>]? { [] }
}

// So do the times and answers of received rows.
extension Indexes.Age: StoredKeyPart {
  var keyRanges: [Range<Int>]? { [] }
}

extension Indexes.Responses: StoredKeyPart {
  var keyRanges: [Range<Int>]? { [] }
}
