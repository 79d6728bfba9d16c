import EntiaCollections

/// A value as it is now, beside the value it was when the same observer was told before.
///
/// Members of the value are read directly: `state.count` is `state.primitive.count`, and
/// `state.previous?.count` what it was. The first delivery to an observer has no `previous`.
///
/// Cheap to pass on, whatever the size of the value; it keeps exactly two versions alive.
@dynamicMemberLookup
public struct Changes<Value: Sendable>: Sendable {
  let current: Snapshot<Value>
  let former: Snapshot<Value>?

  init(_ current: Snapshot<Value>, previous: Snapshot<Value>?) {
    self.current = current
    former = previous
  }

  /// Puts two values side by side, for code that takes changes without a store.
  public init(_ value: Value, previous: Value? = nil) {
    current = Snapshot(value, version: 1)
    former = previous.map { Snapshot($0, version: 0) }
  }

  /// The current value.
  public var primitive: Value { current.value }

  /// The value before, by itself; `nil` in an observer's first delivery.
  public var previous: Changes? {
    former.map { Changes($0, previous: nil) }
  }

  /// The name given to the commit that led to the current value, if it was given one.
  public var commitName: String? { current.commitName }

  /// What the commit that led to the current value carried.
  public var context: CommitContext { current.mark.context }

  /// A member of the current value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    current.value[keyPath: keyPath]
  }

  /// The same change, seen through a function of the value.
  ///
  /// Both values are transformed at once, the current one first.
  ///
  /// - Returns: The transformed values, with a `previous` when there is one here.
  /// - Throws: What `transform` throws.
  public func map<Mapped: Sendable>(
    _ transform: (Value) throws -> Mapped
  ) rethrows -> Changes<Mapped> {
    let mapped = Snapshot(try transform(current.value), of: current)
    let mappedFormer = try former.map { Snapshot(try transform($0.value), of: $0) }
    return Changes<Mapped>(mapped, previous: mappedFormer)
  }
}

extension Changes: Equatable where Value: Equatable {
  /// Whether both the current values and the values before are equal.
  public static func == (first: Changes, second: Changes) -> Bool {
    haveSameValue(first.primitive, second.primitive)
      && haveSameValue(first.former?.value, second.former?.value)
  }
}
