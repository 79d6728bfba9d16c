/// A key that provides 64 well-mixed hash bits in one step.
///
/// Equal keys have equal bits within one process. The bits depend on a seed drawn once per process
/// and must never be stored or encoded.
public protocol TableKey: Hashable, Sendable {
  /// 64 well-mixed bits. Equal keys have equal bits.
  var tableHash: UInt64 { get }
}

extension TableKey {
  /// The mixed bits of the key's standard hash.
  @inlinable
  public var tableHash: UInt64 { HashMixing.hash(UInt64(truncatingIfNeeded: hashValue)) }
}
