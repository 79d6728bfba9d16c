import EntiaCollections
import Foundation

/// A test of adjacent rows, up to 64 in one call.
///
/// The loop over the rows is inside the test, where the type of the field is known. A test of one
/// row at a time costs an indirect call for each row and condition.
struct RunTest {
  /// Returns a word with a bit for each row, the lowest bit for the first row. A bit of 0 means
  /// that the predicate does not accept the row.
  let matches: (_ first: UnsafeRawPointer, _ stride: Int, _ count: Int) -> UInt64
  /// Whether the predicate accepts every row whose bit in the result of `matches` is 1. If `false`,
  /// each of these rows must still be tested.
  let isExact: Bool

  /// The maximum number of rows in one call.
  static let maximumCount = 64

  /// Returns a word whose lowest `count` bits are 1.
  @inline(__always)
  static func all(_ count: Int) -> UInt64 {
    UInt64.max &>> UInt64(truncatingIfNeeded: maximumCount &- count)
  }

  // The field is read as `PredicateFrame.read` reads it: at a documented offset in a row that the
  // caller keeps alive and unchanged.

  /// Returns an exact test that compares the field at an offset in each row with a value.
  // The comparison is a type and not a closure, so that it is inlined into the loop.
  static func field<Comparison: RunComparison>(
    _ offset: Int, _ value: Comparison.Value, _ comparison: Comparison.Type
  ) -> RunTest {
    let matches = { (first: UnsafeRawPointer, stride: Int, count: Int) -> UInt64 in
      var field = first + offset
      var bits: UInt64 = 0
      for number in 0..<UInt64(truncatingIfNeeded: count) {
        let isMatch = Comparison.holds(
          field.assumingMemoryBound(to: Comparison.Value.self).pointee, value)
        bits |= (isMatch ? 1 : 0) &<< number
        field += stride
      }
      return bits
    }
    return RunTest(matches: matches, isExact: true)
  }

  /// Returns a test that checks whether the field at an offset in each row equals a value. Returns
  /// `nil` if the type is none of the common ones.
  static func equality<Value: Equatable>(_ offset: Int, _ value: Value) -> RunTest? {
    @inline(__always)
    func test<Known: Equatable>(_ type: Known.Type) -> RunTest? {
      if Value.self != Known.self { return nil }
      return field(offset, recast(value, as: Known.self), EqualComparison<Known>.self)
    }
    let tests: [RunTest?] = [
      test(Int.self), test(String.self), test(Bool.self), test(Double.self), test(Int?.self),
      test(String?.self), test(Date.self), test(UUID.self), test(Int64.self), test(UInt.self),
      test(Int32.self), test(Float.self), test(Double?.self), test(Bool?.self),
    ]
    return tests.compactMap(\.self).first
  }

  /// Returns a test that compares the field at an offset in each row with a value. Returns `nil` if
  /// the type is none of the common ones.
  static func order<Value: Comparable>(
    _ offset: Int, _ order: ComparisonOrder, _ value: Value
  ) -> RunTest? {
    @inline(__always)
    func test<Known: Comparable>(_ type: Known.Type) -> RunTest? {
      if Value.self != Known.self { return nil }
      let value = recast(value, as: Known.self)
      return switch order {
      case .less: field(offset, value, LessComparison<Known>.self)
      case .lessOrEqual: field(offset, value, LessOrEqualComparison<Known>.self)
      case .greater: field(offset, value, GreaterComparison<Known>.self)
      case .greaterOrEqual: field(offset, value, GreaterOrEqualComparison<Known>.self)
      }
    }
    let tests: [RunTest?] = [
      test(Int.self), test(Double.self), test(String.self), test(Date.self), test(Int64.self),
      test(UInt.self), test(Int32.self), test(Float.self),
    ]
    return tests.compactMap(\.self).first
  }

  /// The negation of this test: it accepts a row if this test does not. `nil` if this test is not
  /// exact.
  var negated: RunTest? {
    guard isExact else { return nil }
    let matches = matches
    return RunTest(
      matches: { first, stride, count in
        ~matches(first, stride, count) & Self.all(count)
      }, isExact: true)
  }

  /// Returns the test for rows that two conditions accept. If only one of the conditions has a
  /// test, returns a copy of that test that is not exact.
  static func both(_ lhs: RunTest?, _ rhs: RunTest?) -> RunTest? {
    guard let lhs, let rhs else {
      return (lhs ?? rhs).map { RunTest(matches: $0.matches, isExact: false) }
    }
    let (left, right) = (lhs.matches, rhs.matches)
    return RunTest(
      matches: { first, stride, count in
        let bits = left(first, stride, count)
        return bits == 0 ? 0 : bits & right(first, stride, count)
      }, isExact: lhs.isExact && rhs.isExact)
  }

  /// Returns the test for rows that at least one of two conditions accepts. Returns `nil` if one of
  /// the conditions has no test, because that condition may accept any row.
  static func either(_ lhs: RunTest?, _ rhs: RunTest?) -> RunTest? {
    guard let lhs, let rhs else { return nil }
    let (left, right) = (lhs.matches, rhs.matches)
    return RunTest(
      matches: { first, stride, count in
        let bits = left(first, stride, count)
        return bits == all(count) ? bits : bits | right(first, stride, count)
      }, isExact: lhs.isExact && rhs.isExact)
  }
}

/// The four ordering operators.
enum ComparisonOrder {
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual

  /// The operator with its operands exchanged.
  var turned: ComparisonOrder {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  @inline(__always)
  func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
    switch self {
    case .less: isLess(a, b)
    case .lessOrEqual: isLessOrEqual(a, b)
    case .greater: isLess(b, a)
    case .greaterOrEqual: isLessOrEqual(b, a)
    }
  }
}

/// A comparison of the values of a field with one value.
protocol RunComparison {
  associatedtype Value

  /// Returns whether the comparison holds for a value of the field and the other value.
  static func holds(_ field: Value, _ value: Value) -> Bool
}

enum EqualComparison<Value: Equatable>: RunComparison {
  @inline(__always)
  static func holds(_ field: Value, _ value: Value) -> Bool { field == value }
}

enum LessComparison<Value: Comparable>: RunComparison {
  @inline(__always)
  static func holds(_ field: Value, _ value: Value) -> Bool { isLess(field, value) }
}

enum LessOrEqualComparison<Value: Comparable>: RunComparison {
  @inline(__always)
  static func holds(_ field: Value, _ value: Value) -> Bool { isLessOrEqual(field, value) }
}

enum GreaterComparison<Value: Comparable>: RunComparison {
  @inline(__always)
  static func holds(_ field: Value, _ value: Value) -> Bool { isLess(value, field) }
}

enum GreaterOrEqualComparison<Value: Comparable>: RunComparison {
  @inline(__always)
  static func holds(_ field: Value, _ value: Value) -> Bool { isLessOrEqual(value, field) }
}
