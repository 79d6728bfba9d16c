import CBenchmarkSupport

/// Measures the heap allocations of the calling thread.
enum Heap {
  /// Whether allocations can be counted on this system.
  static var isCounting: Bool { can_count_allocations() }

  /// Returns the heap bytes that a model retains, including the allocator's overhead, and the peak
  /// while it was created. Both are the same if allocations cannot be counted.
  static func weigh<Model>(_ make: () throws -> Model) rethrows -> (kept: Double, peak: Double) {
    let before = isCounting ? 0 : allocated_bytes()
    begin_counting_allocations()
    defer { end_counting_allocations() }
    let model = try make()
    defer { withExtendedLifetime(model) {} }
    if isCounting {
      let counts = counted_allocations()
      return (Double(counts.live), Double(counts.peak))
    }
    let grown = Double(allocated_bytes()) - Double(before)
    return (grown, grown)
  }

  /// Returns the maximum number of bytes that one of the operations allocated.
  static func mostBytes(of operations: Int, _ operation: (Int) throws -> Void) rethrows -> Double {
    begin_counting_allocations()
    defer { end_counting_allocations() }
    var most: UInt64 = 0
    var last: UInt64 = 0
    for index in 0..<operations {
      try operation(index)
      let bytes = counted_allocations().bytes
      most = max(most, bytes - last)
      last = bytes
    }
    return Double(most)
  }
}
