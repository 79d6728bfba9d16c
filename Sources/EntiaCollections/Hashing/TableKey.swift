/// A key that gives 64 well-mixed hash bits in one step.
///
/// Equal keys give equal bits within one process. The bits depend on a seed drawn once a process and
/// must never be stored or encoded.
public protocol TableKey: Hashable, Sendable {
  /// 64 well-mixed bits; equal keys give equal bits.
  var tableHash: UInt64 { get }
}

extension TableKey {
  /// The bits of the key's standard hash.
  @inlinable
  public var tableHash: UInt64 { HashMixing.hash(UInt64(truncatingIfNeeded: hashValue)) }
}
