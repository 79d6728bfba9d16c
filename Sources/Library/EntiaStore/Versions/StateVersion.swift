/// One version of a value, for the parts of a store that do not depend on its type.
///
/// Those parts are deliberately not generic: generic code that is not visible to the client's
/// compiler looks up its types at run time, which made a commit four times as slow. The generic
/// parts are `@inlinable`, and compiled where the state's type is known.
///
/// Sendable although it has a subclass: the only subclass is `StateVersion`, which adds one
/// constant.
@usableFromInline
class AnyStateVersion: @unchecked Sendable {
  @usableFromInline let version: UInt64
  @usableFromInline let metadata: CommitMetadata

  @inlinable
  init(version: UInt64, metadata: CommitMetadata) {
    self.version = version
    self.metadata = metadata
  }

  var commitName: String? { metadata.name }
}

/// One version of a value, shared by all its readers.
///
/// A commit replaces one reference, regardless of the size of the state. The version numbers
/// distinguish two values of one source without comparing them: values with equal numbers are
/// equal.
@usableFromInline
final class StateVersion<Value: Sendable>: AnyStateVersion, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value, version: UInt64, metadata: CommitMetadata) {
    self.value = value
    super.init(version: version, metadata: metadata)
  }

  /// Creates a version that does not result from a commit.
  convenience init(_ value: Value, version: UInt64) {
    self.init(value, version: version, metadata: CommitMetadata())
  }

  /// Creates the version of a derived value, with the number and the metadata of the version from
  /// which it was derived.
  convenience init(_ value: Value, of origin: AnyStateVersion) {
    self.init(value, version: origin.version, metadata: origin.metadata)
  }
}

extension AnyStateVersion {
  /// Returns the version with its concrete type. Only the store that created it may call this,
  /// because optimized builds do not check the type.
  @inlinable
  func of<Value: Sendable>(_ type: Value.Type) -> StateVersion<Value> {
    unsafeDowncast(self, to: StateVersion<Value>.self)
  }
}
