/// Takes a value that is never used again, so that the work that made it is not optimized away.
@inline(never)
func blackHole<Value>(_ value: borrowing Value) {}
