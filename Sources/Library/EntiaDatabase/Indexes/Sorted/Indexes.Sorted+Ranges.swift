public import EntiaCollections

extension Indexes.Sorted {
  /// IDs in the order of this index.
  public typealias IDs = SortedIDs<Entity, Key>

  /// Returns the IDs of all indexed entities.
  /// - Complexity: O(1).
  @inlinable
  public func ids() -> IDs { IDs(tree.slice()) }

  /// Returns the IDs of the entities with keys between two bounds.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(from lower: SortedBound<Key>, to upper: SortedBound<Key>) -> IDs {
    let ranks = tree.ranks(from: lower, to: upper)
    guard case .unbounded = upper else { return IDs(tree[ranks]) }
    if case .unbounded = lower { return IDs(tree[ranks]) }
    // NaN is in no range that has a bound.
    return IDs(tree[ranks.clamped(to: 0..<Swift.max(ranks.lowerBound, orderedCount))])
  }

  /// Returns the IDs of the entities with a key, in the order of the IDs.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(for key: Key) -> IDs { ids(from: .including(key), to: .including(key)) }

  /// Returns the IDs of the entities with keys in a range such as `1960..<1970`.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(in range: Range<Key>) -> IDs {
    ids(from: .including(range.lowerBound), to: .excluding(range.upperBound))
  }

  /// Returns the IDs of the entities with keys in a range such as `1960...1969`.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(in range: ClosedRange<Key>) -> IDs {
    ids(from: .including(range.lowerBound), to: .including(range.upperBound))
  }

  /// Returns the IDs of the entities with keys in a range such as `1960...`.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(in range: PartialRangeFrom<Key>) -> IDs {
    ids(from: .including(range.lowerBound), to: .unbounded)
  }

  /// Returns the IDs of the entities with keys in a range such as `..<1960`.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(in range: PartialRangeUpTo<Key>) -> IDs {
    ids(from: .unbounded, to: .excluding(range.upperBound))
  }

  /// Returns the IDs of the entities with keys in a range such as `...1960`.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(in range: PartialRangeThrough<Key>) -> IDs {
    ids(from: .unbounded, to: .including(range.upperBound))
  }

  /// Returns the IDs of all indexed entities: `ids(in: ...)`.
  /// - Complexity: O(1).
  @inlinable
  public func ids(in range: UnboundedRange) -> IDs { ids() }

  /// Returns the IDs of the entities with keys after a key.
  /// - Complexity: O(log *n*).
  @inlinable
  public func ids(after key: Key) -> IDs { ids(from: .excluding(key), to: .unbounded) }

  /// The number of entries whose keys are not NaN.
  @inlinable
  var orderedCount: Int {
    guard let last = tree.last, last.key != last.key else { return tree.count }
    return tree.rank { $0.key == $0.key }
  }
}

extension Indexes.Sorted where Key == String {
  /// Returns the IDs of the entities with keys that begin with a prefix. Keys are compared by the
  /// Unicode scalars of the composed form, as Swift compares strings.
  ///
  /// A key in which a combining mark follows the prefix is included if the mark is a separate
  /// scalar in the composed form (`x` and a ring above, for the prefix `x`). It is not included
  /// if one scalar represents both (`é` for the prefix `e`, whether written with one scalar or
  /// two).
  /// - Complexity: O(log *n*).
  public func ids(withPrefix prefix: String) -> IDs {
    // U+10FFFF is the last scalar and a noncharacter: no string with the prefix sorts after it.
    ids(in: prefix..<(prefix + "\u{10FFFF}"))
  }
}

extension Indexes.Sorted where Key: SortKeysType {
  /// Returns the IDs of the entities whose key begins with a part, in the order of the other parts.
  /// - Complexity: O(log *n*).
  public func ids(startingWith first: Key.First) -> IDs {
    ids(startingFrom: .including(first), to: .including(first))
  }

  /// Returns the IDs of the entities whose key begins with a part between two bounds.
  /// - Complexity: O(log *n*).
  public func ids(
    startingFrom lower: SortedBound<Key.First>, to upper: SortedBound<Key.First>
  ) -> IDs {
    typealias Part = IndexOrder<Key.First, Int>
    let start =
      switch lower {
      case .unbounded: 0
      case .including(let bound): tree.rank { Part.precedes($0.key.first, bound) }
      case .excluding(let bound): tree.rank { !Part.precedes(bound, $0.key.first) }
      }
    let end =
      switch upper {
      case .unbounded:
        if case .unbounded = lower {
          tree.count
        } else {
          tree.rank { $0.key.first == $0.key.first }
        }
      case .including(let bound): tree.rank { !Part.precedes(bound, $0.key.first) }
      case .excluding(let bound): tree.rank { Part.precedes($0.key.first, bound) }
      }
    return IDs(tree[start..<Swift.max(start, end)])
  }
}
