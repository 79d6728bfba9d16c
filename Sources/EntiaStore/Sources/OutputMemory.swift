/// The cached last result of a derived value, shared by its readers.
///
/// Not generic, so that a read looks up no types.
final class OutputMemory: Sendable {
  struct Output {
    /// The version of the input.
    let inputVersion: UInt64
    /// A version of the store's state for which the result is known to be valid.
    var rootVersion: UInt64
    let snapshot: AnyStateVersion
  }

  private let contents = Mutex<Output?>(nil)

  var last: Output? { contents.withLock { $0 } }

  /// Returns the result if it is known to be valid for a version of the store's state.
  func output(atRoot version: UInt64) -> AnyStateVersion? {
    contents.withLock { $0?.rootVersion == version ? $0?.snapshot : nil }
  }

  /// Returns the result if it was derived from a version of the input, which is the input of a
  /// version of the store's state.
  func output(ofInput input: UInt64, atRoot root: UInt64) -> AnyStateVersion? {
    contents.withLock { output in
      guard let known = output, known.inputVersion == input else { return nil }
      if known.rootVersion < root { output?.rootVersion = root }
      return known.snapshot
    }
  }

  /// Caches a result unless the result of a later version is cached.
  func remember(_ new: Output) {
    let outgrown = contents.withLock { output -> Output? in
      if let output, output.inputVersion >= new.inputVersion { return nil }
      let outgrown = output
      output = new
      return outgrown
    }
    withExtendedLifetime(outgrown) {}
  }
}
