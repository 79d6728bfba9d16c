/// A reference to the state of an import, as a container has it.
///
/// Counting references at each member of an entity takes longer than reading the member. The state
/// is therefore used without counting, and retained only for a container that a type stores.
struct RunReference {
  private let run: Unmanaged<DecodingRun>
  private let owner: DecodingRun

  init(_ run: DecodingRun) {
    self.run = Unmanaged.passUnretained(run)
    owner = run
  }

  /// Calls the closure with the state, which is neither retained nor released.
  @inline(__always)
  func with<Result>(_ body: (DecodingRun) throws -> Result) rethrows -> Result {
    try run._withUnsafeGuaranteedRef(body)
  }
}
