import CBenchmarkSupport

/// Consumes a value that is never used again, so that the optimizer removes neither the work that
/// created it nor its lifetime until here.
@inline(never)
func blackHole<Value>(_ value: borrowing Value) {
  withUnsafePointer(to: value) { black_hole($0) }
}
