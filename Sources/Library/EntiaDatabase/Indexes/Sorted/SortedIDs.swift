public import EntiaCollections

/// IDs in the order of a sorted index.
///
/// A view of one version of the index, created in constant time. Its indices are the positions in
/// the whole index; accessing an ID by its position takes O(log *n*).
public struct SortedIDs<Entity: EntityType, Key: Comparable & Sendable>: Sendable
where Entity.EntityIDRawType: Comparable {
  @usableFromInline let slice: SortedSlice<IndexOrder<Key, Entity.EntityID>>

  @inlinable
  init(_ slice: SortedSlice<IndexOrder<Key, Entity.EntityID>>) { self.slice = slice }

  /// The entries of the index: each ID with its key.
  /// - Complexity: O(1).
  @inlinable
  public var entries: some RandomAccessCollection<SortedEntry<Key, Entity.EntityID>> & Sendable {
    slice
  }
}

extension SortedIDs: TreeCollection {
  /// The position, in the whole index, of the first ID.
  @inlinable
  public var startIndex: Int { slice.startIndex }

  /// The position, in the whole index, after the last ID.
  @inlinable
  public var endIndex: Int { slice.endIndex }

  /// Accesses the ID at a position, which must be in bounds.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(position: Int) -> Entity.EntityID { slice[position].id }

  /// Accesses the IDs in a range of positions, which must be in bounds.
  /// - Complexity: O(1).
  @inlinable
  public subscript(bounds: Range<Int>) -> Self { Self(slice[bounds]) }

  /// Returns an iterator over the IDs, in order.
  /// - Complexity: O(1).
  @inlinable
  public func makeIterator() -> some IteratorProtocol<Entity.EntityID> {
    IDIterator(slice.makeIterator())
  }

  /// Returns an iterator over the IDs, from the last to the first.
  /// - Complexity: O(1).
  @inlinable
  public func makeReverseIterator() -> some IteratorProtocol<Entity.EntityID> {
    ReverseIDIterator(slice.makeReverseIterator())
  }

  /// An iterator over the IDs, in order.
  @frozen
  @usableFromInline
  struct IDIterator: IteratorProtocol {
    @usableFromInline var entries: SortedSlice<IndexOrder<Key, Entity.EntityID>>.Iterator

    @inlinable
    init(_ entries: SortedSlice<IndexOrder<Key, Entity.EntityID>>.Iterator) {
      self.entries = entries
    }

    /// Returns the next ID, or `nil` after the last.
    @inlinable
    mutating func next() -> Entity.EntityID? { entries.next()?.id }
  }

  /// An iterator over the IDs, from the last to the first.
  @frozen
  @usableFromInline
  struct ReverseIDIterator: IteratorProtocol {
    @usableFromInline var entries: SortedSlice<IndexOrder<Key, Entity.EntityID>>.ReverseIterator

    @inlinable
    init(_ entries: SortedSlice<IndexOrder<Key, Entity.EntityID>>.ReverseIterator) {
      self.entries = entries
    }

    /// Returns the next ID in reverse order, or `nil` at the end.
    @inlinable
    mutating func next() -> Entity.EntityID? { entries.next()?.id }
  }
}

extension SortedIDs: CustomStringConvertible {}

/// The place after every string that begins with a prefix, in the order of strings.
struct PrefixEnd {
  private let prefix: String

  init(of prefix: String) { self.prefix = prefix }

  /// Whether this place is after a string. It is after every string that begins with the prefix,
  /// and after every string that precedes the prefix.
  func follows(_ text: String) -> Bool {
    // Strings are compared by the scalars of their composed forms, and U+10FFFF is the last scalar.
    // The bound is the prefix, followed by U+10FFFF once more than the text contains it. A text
    // that begins with the prefix therefore precedes the bound.
    let last: Unicode.Scalar = "\u{10FFFF}"
    let count = text.unicodeScalars.count { $0 == last } + 1
    return isLess(text, prefix + String(repeating: Character(last), count: count))
  }
}

extension PrefixEnd: CustomStringConvertible {
  var description: String { "\"\(prefix)…\"" }
}
