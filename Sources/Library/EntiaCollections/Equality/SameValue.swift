/// Compares values by their reflected parts.
@usableFromInline
package enum ReflectedParts {
  /// Whether two values are equal or made of the same parts.
  ///
  /// The comparison is iterative, so that deeply nested values do not overflow the call stack.
  @usableFromInline
  package static func areSame(_ lhs: Any, _ rhs: Any) -> Bool {
    var pairs = PartPairs(lhs, rhs)
    while let (lhs, rhs) = pairs.next() {
      if !pairs.append(partsOf: lhs, rhs) { return false }
    }
    return true
  }

  /// Returns the names of the parts in which two values of one type differ, regardless of `==` of
  /// that type. Parts without names are named by their numbers.
  package static func differingParts(_ lhs: Any, _ rhs: Any) -> [String] {
    let (first, second) = (Mirror(reflecting: lhs).children, Mirror(reflecting: rhs).children)
    if first.count != second.count { return ["the number of parts"] }
    return zip(first, second).enumerated().compactMap { number, pair in
      areSame(pair.0.value, pair.1.value) && pair.0.label == pair.1.label
        ? nil : pair.0.label ?? "part \(number + 1)"
    }
  }

  /// Whether the first value precedes the second. The values do not equal themselves. Numbers are
  /// compared by the total order of their type. Other values are compared by their descriptions and
  /// then by their hashes.
  @usableFromInline
  static func precedes<Value: Comparable & Hashable>(_ lhs: Value, _ rhs: Value) -> Bool {
    if let lhs = lhs as? any BinaryFloatingPoint { return comesFirst(lhs, rhs) }
    let texts = (String(reflecting: lhs), String(reflecting: rhs))
    return texts.0 == texts.1 ? lhs.hashValue < rhs.hashValue : texts.0 < texts.1
  }

  private static func comesFirst<Number: BinaryFloatingPoint>(_ lhs: Number, _ rhs: Any) -> Bool {
    guard let rhs = rhs as? Number else { return false }
    return lhs.isTotallyOrdered(belowOrEqualTo: rhs) && !rhs.isTotallyOrdered(belowOrEqualTo: lhs)
  }
}

/// The pairs of parts that have not been compared yet.
private struct PartPairs {
  private var waiting: [(lhs: Any, rhs: Any)]

  init(_ lhs: Any, _ rhs: Any) { waiting = [(lhs, rhs)] }

  mutating func next() -> (lhs: Any, rhs: Any)? { waiting.popLast() }

  /// Compares two values without their parts. If that does not decide the result, adds the pairs of
  /// their parts to the pairs that remain to be compared.
  /// - Returns: Whether no difference was found.
  mutating func append(partsOf lhs: Any, _ rhs: Any) -> Bool {
    guard type(of: lhs) == type(of: rhs) else { return false }
    if let number = lhs as? any BinaryFloatingPoint { return haveSameBits(number, rhs) }
    if let lhs = lhs as? any Equatable, isEqual(lhs, rhs) { return true }
    if type(of: lhs) is AnyClass { return (lhs as AnyObject) === (rhs as AnyObject) }
    if let vector = lhs as? any SIMD { return haveSameScalars(vector, rhs) }
    if let lhs = lhs as? any Any.Type { return lhs == rhs as? any Any.Type }
    let (first, second) = (Mirror(reflecting: lhs), Mirror(reflecting: rhs))
    guard first.children.count == second.children.count else { return false }
    if first.displayStyle == .set || first.displayStyle == .dictionary {
      return haveSameMembers(first, second)
    }
    if first.children.isEmpty { return areSameWithoutParts(lhs, rhs, first.displayStyle) }
    if lhs is any CustomReflectable, let lhs = lhs as? any Hashable, !haveSameHash(lhs, rhs) {
      return false
    }
    for (part, other) in zip(first.children, second.children) {
      guard part.label == other.label else { return false }
      waiting.append((part.value, other.value))
    }
    return true
  }

  private func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: Any) -> Bool { lhs == rhs as? Value }

  private func haveSameHash<Value: Hashable>(_ lhs: Value, _ rhs: Any) -> Bool {
    lhs.hashValue == (rhs as? Value)?.hashValue
  }

  /// Whether two numbers are equal or have the same bits. Zeros of different signs are equal. A NaN
  /// does not equal itself, so only its bits can be compared.
  private func haveSameBits<Number: BinaryFloatingPoint>(_ lhs: Number, _ rhs: Any) -> Bool {
    guard let rhs = rhs as? Number else { return false }
    return lhs == rhs
      || (lhs.sign == rhs.sign && lhs.exponentBitPattern == rhs.exponentBitPattern
        && lhs.significandBitPattern == rhs.significandBitPattern)
  }

  private func haveSameScalars<Vector: SIMD>(_ lhs: Vector, _ rhs: Any) -> Bool {
    guard let rhs = rhs as? Vector else { return false }
    return lhs.indices.allSatisfy { ReflectedParts.areSame(lhs[$0], rhs[$0]) }
  }

  /// Whether two sets or dictionaries have the same members, in any order. Members at the same
  /// position are compared first, because usually both values have the same order.
  private func haveSameMembers(_ lhs: Mirror, _ rhs: Mirror) -> Bool {
    var rest: [Any] = []
    var others: [Any] = []
    for (part, other) in zip(lhs.children, rhs.children)
    where !ReflectedParts.areSame(part.value, other.value) {
      rest.append(part.value)
      others.append(other.value)
    }
    for part in rest {
      guard let match = others.firstIndex(where: { ReflectedParts.areSame(part, $0) }) else {
        return false
      }
      others.swapAt(match, others.endIndex - 1)
      others.removeLast()
    }
    return true
  }

  /// Compares two unequal values whose mirrors have no children. Closures count as the same,
  /// because nothing in them can be compared. Empty collections also count as the same. Any other
  /// value with a custom mirror counts as different, because the mirror may omit a difference.
  private func areSameWithoutParts(
    _ lhs: Any, _ rhs: Any, _ style: Mirror.DisplayStyle?
  ) -> Bool {
    if lhs is any Equatable { return false }
    if style == .enum { return String(describing: lhs) == String(describing: rhs) }
    return style == .optional || lhs is any Collection || !(lhs is any CustomReflectable)
  }
}

/// Whether two values are equal. Two values that do not equal themselves also count as the same if
/// they are made of the same parts.
///
/// A value that holds a NaN is not equal to itself, so `==` alone reports a change even where
/// nothing changed. Such values are compared part by part, by reflection. Floating-point numbers
/// are compared by their bit patterns, references by identity, and all other parts by this
/// function.
///
/// Values that are equal to themselves are never reflected. An array is equal to itself even if it
/// holds a NaN, because `==` of arrays first compares their storage. So two arrays with a NaN that
/// do not share their storage always count as different, and so do values that contain them.
///
/// The relation is an equivalence under two conditions: `==` is an equivalence among the values
/// that equal themselves, and equal values have equal hashes.
/// - Complexity: That of `==`. Values that differ need one or two more comparisons, and reflection
///   if neither equals itself.
@inlinable
@inline(__always)
package func haveSameValue<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Bool {
  lhs == rhs || (!isEqualToItself(Value.self) && haveSameParts(lhs, rhs))
}

/// Whether every value of a type is known to equal itself. If `false`, the values may still equal
/// themselves. The result is a constant in specialized code.
@inlinable
@inline(__always)
package func isEqualToItself<Value>(_ type: Value.Type) -> Bool {
  type == String.self || type == Int.self || type == Bool.self || type == Int64.self
    || type == UInt64.self || type == Int32.self || type == UInt32.self || type == UInt.self
}

/// Whether two unequal values count as the same: neither value equals itself, and both are made of
/// the same parts.
@inlinable
@inline(never)
package func haveSameParts<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Bool {
  if lhs == lhs || rhs == rhs { return false }
  return ReflectedParts.areSame(lhs, rhs)
}

/// Whether two unequal keys are made of the same parts.
///
/// Unlike `haveSameParts`, this function also compares the parts of keys that equal themselves. For
/// example, a key with an array that holds a NaN equals itself, because `==` of arrays first
/// compares their storage. Few keys are reflected, because tables rarely compare keys with
/// different hashes, and most keys with equal hashes are equal.
/// - Complexity: That of hashing both keys, plus reflection if the hashes are equal.
@inlinable
@inline(never)
package func haveSameKeyParts<Key: Hashable>(_ lhs: Key, _ rhs: Key) -> Bool {
  lhs.hashValue == rhs.hashValue && ReflectedParts.areSame(lhs, rhs)
}

/// Whether two arrays have the same values, one by one.
///
/// This function passes the elements to `haveSameValue`, not the arrays, because `haveSameValue`
/// does not look into a value that equals itself. An array equals itself even if an element
/// contains NaN, because `==` of arrays first compares their storage.
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
  if isEqualToItself(Value.self) { return isLess(lhs, rhs) }
  if lhs == lhs { return isLess(lhs, rhs) || !(rhs == rhs) }
  return !(rhs == rhs) && ReflectedParts.precedes(lhs, rhs)
}

/// Whether the values of a type consist of whole words, so that their bits can be compared. It is a
/// constant in specialized code.
@inlinable
@inline(__always)
func consistsOfWords<Value>(_ type: Value.Type) -> Bool {
  MemoryLayout<Value>.size & 7 == 0 && MemoryLayout<Value>.alignment >= 8
}

/// Returns 0 if the words of two values are the same, otherwise another number. The type of the
/// values must consist of whole words.
@inlinable
@inline(__always)
func differingBits<Value>(
  _ a: UnsafePointer<Value>, _ b: UnsafePointer<Value>
) -> UInt64 {
  let x = UnsafeRawPointer(a)
  let y = UnsafeRawPointer(b)
  let size = MemoryLayout<Value>.size
  var difference = SIMD2<UInt64>()
  var offset = 0
  // Loads two words at a time, because the compiler does not combine the loads of single words.
  while offset &+ 16 <= size {
    difference |=
      x.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      ^ y.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    offset &+= 16
  }
  var rest = difference[0] | difference[1]
  if offset < size {
    rest |=
      x.load(fromByteOffset: offset, as: UInt64.self)
      ^ y.load(fromByteOffset: offset, as: UInt64.self)
  }
  return rest
}
