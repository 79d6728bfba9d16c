/// A result that was computed for a version of its input.
protocol VersionedResult: Sendable {
  var inputVersion: UInt64 { get }
}

/// The last result of a computation, which depends only on the version of its input.
final class VersionCache<Result: VersionedResult>: Sendable {
  private let contents = Mutex<Result?>(nil)

  /// The last result.
  var last: Result? { contents.withLock { $0 } }

  /// Acquires the lock, and returns the last result. The caller must call `unlockLast()`.
  func lockLast() -> UnsafePointer<Result?> { UnsafePointer(contents.lockValue()) }

  /// Releases the lock after `lockLast()`.
  func unlockLast() { contents.unlockValue() }

  /// Returns the cached result of a version, or computes and caches one.
  ///
  /// - Parameter compute: Computes the result, without a lock; its argument is the last result.
  func result(for version: UInt64, compute: (_ last: Result?) -> Result) -> Result {
    let last = last
    if let last, last.inputVersion == version { return last }
    let result = compute(last)
    update { known in
      if let known, known.inputVersion >= version { return nil }
      return result
    }
    return result
  }

  /// Replaces the cached result by that of a closure, unless this is `nil`. The closure runs under
  /// the lock; the replaced result is released without it.
  func update(_ body: (Result?) -> Result?) {
    let replaced = contents.withLock { contents -> Result? in
      guard let result = body(contents) else { return nil }
      let replaced = contents
      contents = result
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }
}

extension Equality where Value: Sendable {
  /// Returns the version of a computed value: the last version if its value is equal and its input
  /// is older, otherwise a new one. If the version is kept, values derived from this one are known
  /// to be unchanged.
  func version(
    of value: Value, for input: AnyStateVersion, last: StateVersion<Value>?,
    computedFor lastInput: UInt64?
  ) -> StateVersion<Value> {
    if let last, let lastInput, lastInput < input.version, areSurelyEqual(last.value, value) {
      return last
    }
    return StateVersion(value, of: input)
  }
}
