/// The last result of what derives a value, for all who look at it.
///
/// Not generic, so that a look at it looks up no types.
final class OutputMemory: Sendable {
  struct Output {
    /// The version of what it was derived from.
    let inputVersion: UInt64
    /// A version of the store's state for which it is known to be right.
    var rootVersion: UInt64
    let snapshot: AnySnapshot
  }

  private let contents = Protected<Output?>(nil)

  var last: Output? { contents.withLock { $0 } }

  /// The result, if it is known to be right for a version of the store's state.
  func output(atRoot version: UInt64) -> AnySnapshot? {
    contents.withLock { $0?.rootVersion == version ? $0?.snapshot : nil }
  }

  /// The result, if it was derived from a version of the input, which is that of a version of the
  /// store's state.
  func output(ofInput input: UInt64, atRoot root: UInt64) -> AnySnapshot? {
    contents.withLock { output in
      guard let known = output, known.inputVersion == input else { return nil }
      if known.rootVersion < root { output?.rootVersion = root }
      return known.snapshot
    }
  }

  /// Remembers a result unless that of a later version is known.
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
