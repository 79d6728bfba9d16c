/// A key that provides 64 well-mixed hash bits in one step.
///
/// Equal keys have equal bits within one process. The bits depend on a seed drawn once per process
/// and must never be stored or encoded.
public protocol TableKey: Hashable, Sendable {
  /// Returns 64 well-mixed bits. Equal keys have equal bits for equal seeds.
  ///
  /// A table passes the process's seed, which it stores: reading a global constant that is drawn at
  /// run time is a call that the compiler cannot see through, and in a loop over a table in a
  /// property it would retain the table at each lookup.
  func tableHash(seed: UInt64) -> UInt64
}

extension TableKey {
  /// Returns mixed bits of the key's standard hash.
  @inlinable
  public func tableHash(seed: UInt64) -> UInt64 {
    HashMixing.hash(UInt64(truncatingIfNeeded: hashValue), seed: seed)
  }

  /// 64 well-mixed bits with the process's seed. Equal keys have equal bits.
  @inlinable
  public var tableHash: UInt64 { tableHash(seed: HashMixing.seed) }
}
