/// A bound of a range of keys, in the order of a tree.
public enum SortedBound<Key> {
  /// Before the first or after the last element.
  case unbounded
  /// At a key. The range includes elements with this key.
  case including(Key)
  /// At a key. The range excludes elements with this key.
  case excluding(Key)
}

extension SortedBound: Equatable where Key: Equatable {}
extension SortedBound: Hashable where Key: Hashable {}
extension SortedBound: Sendable where Key: Sendable {}
