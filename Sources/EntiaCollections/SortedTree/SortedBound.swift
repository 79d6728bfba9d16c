/// Where a range of keys begins or ends, in the order of the tree that is asked.
public enum SortedBound<Key> {
  /// Before the first or behind the last element.
  case unbounded
  /// At a key; elements with this key are inside.
  case including(Key)
  /// At a key; elements with this key are outside.
  case excluding(Key)
}

extension SortedBound: Equatable where Key: Equatable {}
extension SortedBound: Hashable where Key: Hashable {}
extension SortedBound: Sendable where Key: Sendable {}
