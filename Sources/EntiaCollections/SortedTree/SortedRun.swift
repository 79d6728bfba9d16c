/// The steps that leaves and inner nodes have in common: runs of values in raw memory.
@usableFromInline
enum SortedRun<Value> {
  /// Returns how many values, from the first on, belong before what is sought; the answer to the
  /// question must go from yes to no once.
  @inlinable
  @inline(__always)
  static func partition(
    _ values: UnsafeMutablePointer<Value>, _ count: Int,
    _ belongsBefore: (UnsafeMutablePointer<Value>) -> Bool
  ) -> Int {
    // Without a jump that depends on the data: a mispredicted one costs more than a comparison.
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

  /// Puts a value into a run that has room behind its end.
  @inlinable
  @inline(__always)
  static func insert(
    _ value: consuming Value, _ values: UnsafeMutablePointer<Value>, _ count: Int, at index: Int
  ) {
    (values + index + 1).moveInitialize(from: values + index, count: count &- index)
    (values + index).initialize(to: value)
  }

  /// Takes a value out of a run and closes the gap.
  @inlinable
  @inline(__always)
  static func remove(
    _ values: UnsafeMutablePointer<Value>, _ count: Int, at index: Int
  ) -> Value {
    let value = (values + index).move()
    (values + index).moveInitialize(from: values + index + 1, count: count &- index &- 1)
    return value
  }

  /// Moves values between the end of one run and the front of the next until the left one has so
  /// many.
  @inlinable
  static func balance(
    _ left: UnsafeMutablePointer<Value>, _ leftCount: Int,
    _ right: UnsafeMutablePointer<Value>, _ rightCount: Int, leftWanted: Int
  ) {
    if leftCount < leftWanted {
      let moved = leftWanted &- leftCount
      (left + leftCount).moveInitialize(from: right, count: moved)
      right.moveInitialize(from: right + moved, count: rightCount &- moved)
    } else {
      let moved = leftCount &- leftWanted
      (right + moved).moveInitialize(from: right, count: rightCount)
      right.moveInitialize(from: left + leftWanted, count: moved)
    }
  }

  /// How many of a full run's values and a new one stay on the left when it is split.
  ///
  /// Elements often come in order: a run that grows at its open end stays full, and one that grows at
  /// its front leaves the most behind.
  @inlinable
  @inline(__always)
  static func leftShare(count: Int, newAt index: Int, minimum: Int, isLast: Bool) -> Int {
    if isLast, index == count { return count }
    if index == 0 { return max(1, minimum) }
    return (count &+ 1) &>> 1
  }
}
