/// The cached last result of a derived value, shared by its readers.
///
/// Not generic, so that a read looks up no types.
final class OutputCache: Sendable {
  struct Output: VersionedResult {
    /// The version of the input.
    let inputVersion: UInt64
    /// A version of the store's state for which the result is known to be valid.
    var rootVersion: UInt64
    let value: AnyStateVersion
  }

  private let cache = VersionCache<Output>()

  /// Returns the result if it is known to be valid for a version of the store's state. It is not
  /// retained: the caller must call `unlockOutput()` after copying its value.
  func lockOutput(atRoot version: UInt64) -> Unmanaged<AnyStateVersion>? {
    if let output = cache.lockLast().pointee, output.rootVersion == version {
      return .passUnretained(output.value)
    }
    cache.unlockLast()
    return nil
  }

  /// Releases the lock after `lockOutput(atRoot:)` has returned a result.
  func unlockOutput() { cache.unlockLast() }

  /// Returns the result for an input, which is that of a version of the store's state.
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
