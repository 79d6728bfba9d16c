/// The cached last result of a derived value, shared by its readers.
///
/// The class is not generic, because a generic class would look up types at run time in each read.
final class OutputCache: Sendable {
  struct Output: VersionedResult {
    let inputVersion: UInt64
    /// A version of the store's state for which the result is known to be valid.
    var rootVersion: UInt64
    let value: AnyStateVersion
  }

  private let cache = VersionCache<Output>()

  /// Returns the result if it is known to be valid for a version of the store's state. The result
  /// is not retained, so the caller must call `unlockOutput()` after copying its value.
  func lockOutput(atRoot version: UInt64) -> Unmanaged<AnyStateVersion>? {
    if let output = cache.lockLast().pointee, output.rootVersion == version {
      return .passUnretained(output.value)
    }
    cache.unlockLast()
    return nil
  }

  /// Releases the lock after `lockOutput(atRoot:)` has returned a result.
  func unlockOutput() { cache.unlockLast() }

  /// Returns the result for an input in a version of the store's state.
  ///
  /// - Parameter compute: Computes the result; its argument is the last result.
  func output(
    for input: AnyStateVersion, atRoot root: UInt64,
    compute: (_ last: Output?) -> AnyStateVersion
  ) -> AnyStateVersion {
    let output = cache.result(for: input.version) { last in
      Output(inputVersion: input.version, rootVersion: root, value: compute(last))
    }
    if output.rootVersion < root {
      cache.update { known in
        guard var known, known.inputVersion == input.version, known.rootVersion < root else {
          return nil
        }
        known.rootVersion = root
        return known
      }
    }
    return output.value
  }
}

/// Reads the cached value of a derived value. The class is not generic in the type of the value.
@usableFromInline
final class ValueReader: Sendable {
  private let broadcaster: StoreBroadcaster
  private let cache: OutputCache?
  private let tracking: any ReadTracking

  init(_ source: some StateSource, _ tracking: any ReadTracking) {
    broadcaster = source.broadcaster
    cache = source.outputs
    self.tracking = tracking
  }

  /// Returns the cached value for the current state. Returns `nil` if this value has not been
  /// computed, or if Observation tracks the current reads of this thread. The result is not
  /// retained, so the caller must call `unlockCached()` after copying the value.
  @usableFromInline
  func lockCached() -> Unmanaged<AnyStateVersion>? {
    guard let cache, !tracking.isTracked else { return nil }
    return cache.lockOutput(atRoot: broadcaster.version)
  }

  /// Releases the lock after `lockCached()` has returned a value.
  @usableFromInline
  func unlockCached() { cache?.unlockOutput() }
}

/// A result that was computed for a version of its input.
protocol VersionedResult: Sendable {
  var inputVersion: UInt64 { get }
}

/// A cache of the last result of a computation. The result must depend only on the version of the
/// computation's input.
final class VersionCache<Result: VersionedResult>: Sendable {
  private let contents = Mutex<Result?>(nil)

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

  /// Replaces the cached result by the result of a closure, unless the closure returns `nil`. The
  /// closure runs under the lock; the replaced result is released without the lock.
  func update(_ body: (Result?) -> Result?) {
    contents.release { contents -> Result? in
      guard let result = body(contents) else { return nil }
      defer { contents = result }
      return contents
    }
  }
}

extension Equality where Value: Sendable {
  /// Returns `last` if its value equals `value` and was computed for an older input. Otherwise
  /// returns a new version of `value`. Returning `last` keeps the values derived from it valid.
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
