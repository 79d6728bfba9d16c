/// One version of some value, for the parts of a store that pass versions on without looking in.
///
/// Those parts are not generic on purpose: generic code that the client's compiler cannot see
/// looks up its types at run time, which made a commit four times as slow. What has to be generic
/// is `@inlinable`, and compiled where the state's type is known.
///
/// Sendable although it can be inherited from: the only heir is `Snapshot`, which adds one
/// constant.
@usableFromInline
class AnySnapshot: @unchecked Sendable {
  @usableFromInline let version: UInt64
  @usableFromInline let mark: CommitMark

  @inlinable
  init(version: UInt64, mark: CommitMark) {
    self.version = version
    self.mark = mark
  }

  var commitName: String? { mark.name }
}

/// One version of a value, shared by everybody who looks at it.
///
/// A store swaps a reference, whatever the size of its state. The version tells two snapshots of
/// one source apart without comparing their values: same version, same value.
@usableFromInline
final class Snapshot<Value: Sendable>: AnySnapshot, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value, version: UInt64, mark: CommitMark) {
    self.value = value
    super.init(version: version, mark: mark)
  }

  /// A version that no commit made.
  convenience init(_ value: Value, version: UInt64) {
    self.init(value, version: version, mark: CommitMark())
  }

  /// What follows from another snapshot.
  convenience init(_ value: Value, of origin: AnySnapshot) {
    self.init(value, version: origin.version, mark: origin.mark)
  }
}

extension AnySnapshot {
  /// The snapshot with its type; only the store that made it may ask, because it is not checked
  /// again in optimized builds.
  @inlinable
  func of<Value: Sendable>(_ type: Value.Type) -> Snapshot<Value> {
    unsafeDowncast(self, to: Snapshot<Value>.self)
  }
}
