/// The inputs of a compiled predicate: one slot with an address for the row under test and for
/// each parameter of its closures.
struct PredicateFrame {
  private let slots: UnsafeMutablePointer<UnsafeRawPointer>

  // The unsafe steps of compiled predicates. They are sound because
  // - a slot has one type, which the predicate's compiler knows: `declare` assigns each number
  //   once;
  // - the value at the address in a slot outlives the closure call that set the slot, and the
  //   slot is read only during that call;
  // - an offset is a result of `MemoryLayout.offset(of:)`, which is documented for this use, or
  //   0;
  // - a frame is on the stack of one evaluation, so that threads never share one.

  /// Runs the closure with a frame of a number of slots, none of which is set.
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

  /// Sets a slot to the address of a value. The address must stay valid while the slot is read.
  @inline(__always)
  func set(_ slot: Int, to address: UnsafeRawPointer) { slots[slot] = address }

  /// Runs the closure with a slot set to the address of a value.
  @inline(__always)
  func binding<Value, Result>(
    _ slot: Int, to value: Value, _ body: () throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: value) {
      slots[slot] = UnsafeRawPointer($0)
      return try body()
    }
  }

  /// Returns the address in a slot.
  @inline(__always)
  func address(of slot: Int) -> UnsafeRawPointer { slots[slot] }

  /// Reads the value at an offset from the address in a slot.
  @inline(__always)
  func read<Value>(_ slot: Int, _ offset: Int, as type: Value.Type = Value.self) -> Value {
    (slots[slot] + offset).assumingMemoryBound(to: Value.self).pointee
  }
}
