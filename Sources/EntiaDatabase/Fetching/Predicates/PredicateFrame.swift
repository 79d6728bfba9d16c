/// Where a compiled predicate finds the row that it is asked about, and the values that its closures
/// have names for: one address for each.
struct PredicateFrame {
  private let slots: UnsafeMutablePointer<UnsafeRawPointer>

  // The unsafe steps of compiled predicates. Sound because
  // - a slot has one type, which the compiler of the predicate knows: `slot` gives numbers out once;
  // - the address in a slot is of a value that lives while the closure runs which put it there, and
  //   nothing is read from a slot outside of that closure;
  // - an offset comes from `MemoryLayout.offset(of:)`, which is documented for exactly this, or is 0;
  // - a frame lives on the stack of one evaluation, so that no two threads share one.

  /// Runs the closure with a frame of so many slots, none of which stands for a value yet.
  static func with<Result>(
    slotCount: Int, _ body: (PredicateFrame) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: max(1, slotCount)) {
      memory in
      guard let slots = memory.baseAddress else { preconditionFailure("a frame without a slot") }
      memory.initialize(repeating: UnsafeRawPointer(slots))
      return try body(PredicateFrame(slots: slots))
    }
  }

  /// Makes a slot stand for a value while its address is good.
  @inline(__always)
  func set(_ slot: Int, to address: UnsafeRawPointer) { slots[slot] = address }

  /// Runs the closure with a slot that stands for a value.
  @inline(__always)
  func binding<Value, Result>(
    _ slot: Int, to value: Value, _ body: () throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: value) {
      slots[slot] = UnsafeRawPointer($0)
      return try body()
    }
  }

  /// The address of what a slot stands for.
  @inline(__always)
  func address(of slot: Int) -> UnsafeRawPointer { slots[slot] }

  /// Reads what is stored at an offset of what a slot stands for.
  @inline(__always)
  func read<Value>(_ slot: Int, _ offset: Int, as type: Value.Type = Value.self) -> Value {
    (slots[slot] + offset).assumingMemoryBound(to: Value.self).pointee
  }
}
