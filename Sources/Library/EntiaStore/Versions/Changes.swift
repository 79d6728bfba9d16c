import EntiaCollections

/// The current value together with the value of the observer's previous call.
///
/// Members of the value are accessible directly: `state.count` is `state.primitive.count`, and
/// `state.previous?.count` is its previous value. The first delivery to an observer has no
/// `previous`.
///
/// Copies are cheap regardless of the size of the value. An instance retains exactly two versions.
@dynamicMemberLookup
public struct Changes<Value: Sendable>: Sendable {
  let current: StateVersion<Value>
  let former: StateVersion<Value>?

  init(_ current: StateVersion<Value>, previous: StateVersion<Value>?) {
    self.current = current
    former = previous
  }

  /// Creates a change from two values, for code that takes changes without a store.
  public init(_ value: Value, previous: Value? = nil) {
    current = StateVersion(value, version: 1)
    former = previous.map { StateVersion($0, version: 0) }
  }

  /// The current value.
  public var primitive: Value { current.value }

  /// The previous value as a change of its own; `nil` in an observer's first delivery.
  public var previous: Changes? {
    former.map { Changes($0, previous: nil) }
  }

  /// The name of the commit that led to the current value, if it has one.
  public var commitName: String? { current.commitName }

  /// The context of the commit that led to the current value.
  public var context: CommitContext { current.metadata.context }

  /// A member of the current value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    current.value[keyPath: keyPath]
  }

  /// Returns the change of a function of the value.
  ///
  /// Both values are transformed immediately, the current one first.
  ///
  /// - Returns: The transformed values, with a `previous` if this change has one.
  /// - Throws: The error of `transform`.
  public func map<Mapped: Sendable>(
    _ transform: (Value) throws -> Mapped
  ) rethrows -> Changes<Mapped> {
    let mapped = StateVersion(try transform(current.value), of: current)
    let mappedFormer = try former.map { StateVersion(try transform($0.value), of: $0) }
    return Changes<Mapped>(mapped, previous: mappedFormer)
  }
}

extension Changes: Equatable where Value: Equatable {
  /// Returns whether the current values and the previous values are equal.
  public static func == (lhs: Changes, rhs: Changes) -> Bool {
    haveSameValue(lhs.primitive, rhs.primitive)
      && haveSameValue(lhs.former?.value, rhs.former?.value)
  }
}
