import CBenchmarkSupport

/// Takes a value that is never used again, so that the work that made it, and keeping it alive until
/// here, are not optimized away.
@inline(never)
func blackHole<Value>(_ value: borrowing Value) {
  withUnsafePointer(to: value) { black_hole($0) }
}
