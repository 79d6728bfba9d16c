/// The operations that leaves and inner nodes have in common, on runs of values in raw memory.
@usableFromInline
enum SortedRun<Value> {
  /// Returns the number of leading values that satisfy a predicate. The predicate must be `true` up
  /// to some value and `false` from there on.
  @inlinable
  @inline(__always)
  static func partition(
    _ values: UnsafePointer<Value>, _ count: Int,
    _ belongsBefore: (UnsafePointer<Value>) -> Bool
  ) -> Int {
    // Without a data-dependent jump: a misprediction costs more than a comparison.
    var base = values
    var rest = count
    while rest > 1 {
      let half = rest &>> 1
      let isBefore = belongsBefore(base + (half &- 1)) ? 1 : 0
      base += half & (0 &- isBefore)
      rest &-= half
    }
    if rest == 1, belongsBefore(base) { base += 1 }
    return base - values
  }

  /// Inserts a value into a run that has room after its end.
  @inlinable
  @inline(__always)
  static func insert(
    _ value: consuming Value, _ values: UnsafeMutablePointer<Value>, _ count: Int, at index: Int
  ) {
    (values + index + 1).moveInitialize(from: values + index, count: count &- index)
    (values + index).initialize(to: value)
  }

  /// Removes a value from a run and closes the gap.
  @inlinable
  @inline(__always)
  static func remove(
    _ values: UnsafeMutablePointer<Value>, _ count: Int, at index: Int
  ) -> Value {
    let value = (values + index).move()
    (values + index).moveInitialize(from: values + index + 1, count: count &- index &- 1)
    return value
  }

  /// Balances two adjacent runs. The left run receives all values if they fit in three quarters of
  /// its capacity; otherwise, each run receives half of them.
  /// - Returns: The number of values on the left.
  @inlinable
  static func balance(
    _ left: UnsafeMutablePointer<Value>, _ leftCount: Int,
    _ right: UnsafeMutablePointer<Value>, _ rightCount: Int, capacity: Int
  ) -> Int {
    let all = leftCount &+ rightCount
    let leftWanted = all <= capacity &* 3 / 4 ? all : all &>> 1
    if leftCount < leftWanted {
      let moved = leftWanted &- leftCount
      (left + leftCount).moveInitialize(from: right, count: moved)
      right.moveInitialize(from: right + moved, count: rightCount &- moved)
    } else {
      let moved = leftCount &- leftWanted
      (right + moved).moveInitialize(from: right, count: rightCount)
      right.moveInitialize(from: left + leftWanted, count: moved)
    }
    return leftWanted
  }

  /// Inserts a value into a full run, and moves the last values to an empty run on its right.
  ///
  /// Elements are often inserted in order. After an insertion at the end, a last run stays full.
  /// After an insertion at the start, the left run keeps only the minimum.
  /// - Returns: The number of values on the left.
  @inlinable
  @inline(__always)
  static func split(
    _ values: UnsafeMutablePointer<Value>, _ count: Int, inserting value: consuming Value,
    at index: Int, into right: UnsafeMutablePointer<Value>, minimum: Int, isLast: Bool
  ) -> Int {
    let left =
      isLast && index == count ? count : index == 0 ? max(1, minimum) : (count &+ 1) &>> 1
    let staying = index < left ? left &- 1 : left
    right.moveInitialize(from: values + staying, count: count &- staying)
    if index < left {
      insert(value, values, staying, at: index)
    } else {
      insert(value, right, count &- staying, at: index &- staying)
    }
    return left
  }
}
