/// Whether two values are equal, or are both unequal to themselves and made of the same parts.
///
/// A value that holds a NaN is not equal to itself, so `==` alone reports a change even where
/// nothing changed. Such values are compared part by part, by reflection: floating-point numbers by
/// their bit patterns, references by identity, everything else by this function.
///
/// Values that are equal to themselves are never reflected. An array is equal to its copies, which
/// share its storage, even if it holds a NaN. Values with arrays that were created separately
/// therefore differ if the arrays hold a NaN.
///
/// The relation is an equivalence if `==` is one for the values that equal themselves, and
/// `hash(into:)` agrees with it.
/// - Complexity: That of `==`; a second comparison where the values differ, and reflection where
///   neither equals itself.
@inlinable
@inline(__always)
package func haveSameValue<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Bool {
  lhs == rhs || (!isEqualToItself(Value.self) && haveSameParts(lhs, rhs))
}

/// Whether every value of a type is known to equal itself. It is a constant in specialized code.
/// `false` implies nothing.
@inlinable
@inline(__always)
package func isEqualToItself<Value>(_ type: Value.Type) -> Bool {
  type == String.self || type == Int.self || type == Bool.self || type == Int64.self
    || type == UInt64.self || type == Int32.self || type == UInt32.self || type == UInt.self
}

/// Whether two unequal values are both unequal to themselves and made of the same parts.
@inlinable
@inline(never)
package func haveSameParts<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Bool {
  if lhs == lhs || rhs == rhs { return false }
  return ReflectedParts.areSame(lhs, rhs)
}

/// Whether two unequal keys are made of the same parts.
///
/// Keys are compared only if their hashes led to the same place, so most of them are equal. A key
/// that holds a NaN may still equal itself, because an array in it is equal to itself by its
/// storage. So this function does not require that the keys are unequal to themselves.
/// - Complexity: That of hashing both; of reflection, too, where the hashes are equal.
@inlinable
@inline(never)
package func haveSameKeyParts<Key: Hashable>(_ lhs: Key, _ rhs: Key) -> Bool {
  lhs.hashValue == rhs.hashValue && ReflectedParts.areSame(lhs, rhs)
}

/// Whether two arrays have the same values, one by one.
///
/// An array is equal to its copies, which share its storage, regardless of its elements. Only the
/// elements show whether it holds a NaN.
/// - Complexity: O(*n*); O(1) if the arrays share their storage.
@inlinable
package func haveSameElements<Element: Equatable>(_ lhs: [Element], _ rhs: [Element]) -> Bool {
  lhs == rhs || (lhs.count == rhs.count && lhs.elementsEqual(rhs, by: { haveSameValue($0, $1) }))
}

/// Whether the first value precedes the second in an order that is total even if `<` is not. Values
/// that equal themselves are ordered by `<` and precede all others; the others are ordered by their
/// parts.
/// - Complexity: That of `<`; one or two more comparisons if the first value is not less.
@inlinable
@inline(__always)
package func precedesTotally<Value: Comparable & Hashable>(_ lhs: Value, _ rhs: Value) -> Bool {
  if isEqualToItself(Value.self) { return lhs < rhs }
  if lhs == lhs { return lhs < rhs || !(rhs == rhs) }
  return !(rhs == rhs) && ReflectedParts.precedes(lhs, rhs)
}
