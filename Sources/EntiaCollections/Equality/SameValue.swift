/// Whether two values are equal, or are both unequal to themselves and made of the same parts.
///
/// A value that holds a NaN is not equal to itself, and so no change of it could be told from no
/// change by `==` alone. Such values are compared part by part, by reflection: floating-point
/// numbers by their bit patterns, references by identity, everything else by this function.
///
/// Values that are equal to themselves are never reflected. A list shares its memory with its copies
/// and is equal to these, so that values with lists that were made apart differ where a list has a
/// NaN.
///
/// The relation is an equivalence wherever `==` is one for the values that equal themselves, and
/// `hash(into:)` agrees with it.
/// - Complexity: That of `==`; a second comparison where the values differ, and reflection where
///   neither equals itself.
@inlinable
@inline(__always)
package func haveSameValue<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Bool {
  lhs == rhs || (!isEqualToItself(Value.self) && haveSameParts(lhs, rhs))
}

/// Whether every value of a type is known to equal itself. Decided where code is specialized; a
/// `false` means nothing.
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
/// Keys are compared where their hashes led to one place, and so are mostly equal. Of the others none
/// need be unequal to itself to hold a NaN: a list in it may share its memory with itself.
/// - Complexity: That of hashing both; of reflection, too, where the hashes are equal.
@inlinable
@inline(never)
package func haveSameKeyParts<Key: Hashable>(_ lhs: Key, _ rhs: Key) -> Bool {
  lhs.hashValue == rhs.hashValue && ReflectedParts.areSame(lhs, rhs)
}

/// Whether two lists have the same values, one by one.
///
/// A list shares its memory with its copies and is equal to these whatever it holds; only the elements
/// show whether there is a NaN among them.
/// - Complexity: O(*n*); O(1) where the lists share their memory.
@inlinable
package func haveSameElements<Element: Equatable>(_ lhs: [Element], _ rhs: [Element]) -> Bool {
  lhs == rhs || (lhs.count == rhs.count && lhs.elementsEqual(rhs, by: { haveSameValue($0, $1) }))
}

/// Whether one of two values comes before the other in an order that is total even where `<` is not:
/// values that equal themselves by `<`, then those that do not, by their parts.
/// - Complexity: That of `<`; one or two comparisons more where the first is not less.
@inlinable
@inline(__always)
package func precedesTotally<Value: Comparable & Hashable>(_ lhs: Value, _ rhs: Value) -> Bool {
  if isEqualToItself(Value.self) { return lhs < rhs }
  if lhs == lhs { return lhs < rhs || !(rhs == rhs) }
  return !(rhs == rhs) && ReflectedParts.precedes(lhs, rhs)
}
