/// A reference to the state of an import that does not count as one.
///
/// Containers copy what they hold at each member of an entity, and counting two references each
/// time takes longer than reading the member. The import and its decoders retain the state, and a
/// container is valid only during the call of `init(from:)` that created it.
struct RunReference {
  private let run: Unmanaged<DecodingRun>

  init(_ run: DecodingRun) { self.run = Unmanaged.passUnretained(run) }

  /// Calls the closure with the state, which is neither retained nor released.
  @inline(__always)
  func with<Result>(_ body: (DecodingRun) throws -> Result) rethrows -> Result {
    try run._withUnsafeGuaranteedRef(body)
  }
}
