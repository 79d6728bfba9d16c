/// A key of several parts, of which only the parts' order is wanted.
protocol CompoundKey {
  /// Compares a part with a value whose type is not known: less than 0 when the part comes first in
  /// the key's own order, `nil` when they are not of one type.
  func compare(part: Int, with value: Any) -> Int?
}

extension SortKeys: CompoundKey {
  func compare(part wanted: Int, with value: Any) -> Int? {
    var number = 0
    for part in repeat each parts {
      if number == wanted { return comparePart(part, with: value) }
      number += 1
    }
    return nil
  }
}

/// Compares a part of a key, or a whole one, with a value whose type is not known.
func comparePart<Part: Comparable>(_ part: Part, with value: Any) -> Int? {
  if let part = part as? any DescendingPart { return compareTurned(part, with: value) }
  guard let value = value as? Part else { return nil }
  return compareValues(part, value)
}

private func compareTurned(_ part: some DescendingPart, with value: Any) -> Int? {
  comparePart(part.value, with: value).map { -$0 }
}

/// Compares two values in the total order of the sorted indexes, in which NaN comes last.
@inline(__always)
func compareValues<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
  if a < b { return -1 }
  if b < a { return 1 }
  if a == b { return 0 }
  let (isNumber, otherIsNumber) = (a == a, b == b)
  return isNumber == otherIsNumber ? 0 : isNumber ? -1 : 1
}
