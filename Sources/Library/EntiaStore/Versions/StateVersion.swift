/// One version of a value, for the code of a store that does not depend on the type of the value.
///
/// This code is deliberately not generic. Generic code that is not visible to the client's compiler
/// looks up its types at run time, which makes a commit four times as slow. The generic code of a
/// store is `@inlinable`, and compiled where the state's type is known.
///
/// The conformance to `Sendable` is unchecked, because Swift checks only final classes. The only
/// subclass, `StateVersion`, adds one constant.
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
/// A commit replaces one reference, regardless of the size of the state. Values of one source with
/// equal version numbers are equal, and need not be compared.
///
/// Swift requires a subclass to repeat the unchecked conformance; the only property is a constant.
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

  /// Creates the version of a derived value. It has the number and the metadata of the version from
  /// which it was derived.
  convenience init(_ value: Value, of origin: AnyStateVersion) {
    self.init(value, version: origin.version, metadata: origin.metadata)
  }
}

extension AnyStateVersion {
  /// Returns the version with its concrete type. Only the store that created the version may call
  /// this method, because optimized builds do not check the type.
  @inlinable
  func of<Value: Sendable>(_ type: Value.Type) -> StateVersion<Value> {
    unsafeDowncast(self, to: StateVersion<Value>.self)
  }
}

/// A value of a store without its type, such as an activity, for the code of the store that does
/// not depend on the type.
///
/// The conformance to `Sendable` is unchecked, because Swift checks only final classes. The only
/// subclass, `ErasedValue`, adds one constant.
@usableFromInline
class AnyErasedValue: @unchecked Sendable {
  fileprivate init() {}

  /// Returns the value with its type. Only the store that created the value may call this method,
  /// because optimized builds do not check the type.
  func of<Value: Sendable>(_ type: Value.Type) -> Value {
    unsafeDowncast(self, to: ErasedValue<Value>.self).value
  }
}

/// A value together with its type, which the base class does not have.
///
/// Swift requires a subclass to repeat the unchecked conformance; the only property is a constant.
final class ErasedValue<Value: Sendable>: AnyErasedValue, @unchecked Sendable {
  fileprivate let value: Value

  init(_ value: Value) {
    self.value = value
    super.init()
  }
}

/// Detects whether a state implements `reduce(modifying:previous:)` or uses the default
/// implementation. Swift cannot query this, and a commit should not pay for a hook that does
/// nothing.
enum DefaultReduction {
  /// The identity of the type whose default hook is expected on this thread; `nil` after this
  /// default hook has been called.
  private static let expected = ThreadPointer()

  /// Records a call of the default hook of a type. Only a call for the expected type counts,
  /// because a state's own hook may call the default hooks of its parts.
  static func recordCall(of type: any StateType.Type) {
    if expected.value == identity(of: type) { expected.value = nil }
  }

  /// Returns whether a closure calls the default hook of a type.
  static func isCalled(of type: Any.Type, during call: () -> Void) -> Bool {
    let outer = expected.value
    defer { expected.value = outer }
    expected.value = identity(of: type)
    call()
    return expected.value == nil
  }

  private static func identity(of type: Any.Type) -> UnsafeRawPointer? {
    UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type)))
  }
}

/// A type for the state of a ``Store``.
///
/// The conformance documents the intent, and requires both `Equatable` and `Sendable`. A store
/// accepts any `Sendable` value. A commit that leaves an `Equatable` state unchanged does not
/// notify observers.
public protocol StateType: Equatable, Sendable {
  /// Updates the parts of the state that are computed from other parts. A store calls this method
  /// for its initial state, and at the end of every commit that changed the state. An undo of a
  /// part changes the states that later undos restore, and calls this method for them, too. The
  /// default implementation does nothing.
  ///
  /// - Parameters:
  ///   - state: The initial state, or the state after the commit.
  ///   - previous: The state before the commit; for the initial state, the value that was passed to
  ///     the store.
  static func reduce(modifying state: inout Self, previous: Self)
}

extension StateType {
  /// Leaves the state unchanged.
  public static func reduce(modifying state: inout Self, previous: Self) {
    DefaultReduction.recordCall(of: Self.self)
  }
}
