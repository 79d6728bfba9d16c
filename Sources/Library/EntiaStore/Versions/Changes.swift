import EntiaCollections

/// The current value together with the value of the observer's previous call.
///
/// Members of the value are accessible directly: `state.count` is `state.primitive.count`, and
/// `state.previous?.count` is the member's previous value. The delivery of the initial value to an
/// observer has no `previous`.
///
/// Copies are cheap regardless of the size of the value. An instance retains at most two versions.
@dynamicMemberLookup
public struct Changes<Value: Sendable>: Sendable {
  let current: StateVersion<Value>
  let former: StateVersion<Value>?

  init(_ current: StateVersion<Value>, previous: StateVersion<Value>?) {
    self.current = current
    former = previous
  }

  /// Creates a change from two values, for example to test code that receives changes.
  public init(_ value: Value, previous: Value? = nil) {
    current = StateVersion(value, version: 1)
    former = previous.map { StateVersion($0, version: 0) }
  }

  /// The current value.
  public var primitive: Value { current.value }

  /// The previous value, as a `Changes` that has no `previous`; `nil` if the observer receives the
  /// initial value.
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

  /// Returns a change with the transformed values of this change.
  ///
  /// Both values are transformed immediately, the current one first.
  ///
  /// - Returns: The transformed values. The result has a `previous` if this change has one.
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
  /// Returns whether two changes have equal current values and equal previous values.
  public static func == (lhs: Changes, rhs: Changes) -> Bool {
    haveSameValue(lhs.primitive, rhs.primitive)
      && haveSameValue(lhs.former?.value, rhs.former?.value)
  }
}

extension Changes {
  /// Calls a closure with a part of the value if the part changed, also if only the ages or answers
  /// of received rows in its databases changed.
  ///
  /// Without a previous value, the closure is called.
  ///
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the closure.
  @discardableResult
  public func ifChanged<Part: Equatable, Result>(
    _ keyPath: KeyPath<Value, Part>, perform: (Part) throws -> Result
  ) rethrows -> Result? {
    try ifChanged(keyPath, by: { Equality.areEqual($0, $1) }, perform: perform)
  }

  /// Calls a closure with a part of the value if the part changed according to a custom comparison.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the part.
  ///   - areEqual: A closure that returns whether the previous and the current part are equal.
  ///   - perform: The closure, which is called with the current part.
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the comparison or of the closure.
  @discardableResult
  public func ifChanged<Part, Result>(
    _ keyPath: KeyPath<Value, Part>, by areEqual: (Part, Part) throws -> Bool,
    perform: (Part) throws -> Result
  ) rethrows -> Result? {
    let part = primitive[keyPath: keyPath]
    if let previous, try areEqual(previous.primitive[keyPath: keyPath], part) { return nil }
    return try perform(part)
  }

  /// Calls a closure with several parts of the value if at least one of them changed.
  ///
  /// Without a previous value, the closure is called.
  ///
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the closure.
  @discardableResult
  public func ifChanged<each Part: Equatable, Result>(
    _ keyPath: repeat KeyPath<Value, each Part>, perform: (repeat each Part) throws -> Result
  ) rethrows -> Result? {
    guard hasChanges(repeat each keyPath) else { return nil }
    return try perform(repeat primitive[keyPath: each keyPath])
  }

  /// Returns whether at least one of several parts of the value changed.
  ///
  /// Without a previous value, the result is `true`.
  ///
  /// - Returns: `false` if there is a previous value and all the parts are equal to the previous
  ///   ones.
  public func hasChanges<each Part: Equatable>(
    _ keyPath: repeat KeyPath<Value, each Part>
  ) -> Bool {
    guard let previous else { return true }
    let (before, now) = (previous.primitive, primitive)
    for keyPath in repeat each keyPath {
      if !Equality.areEqual(before[keyPath: keyPath], now[keyPath: keyPath]) { return true }
    }
    return false
  }
}

extension Changes where Value: Equatable {
  /// Whether the value differs from the previous value; `true` without a previous value.
  public var hasChanges: Bool {
    !(former.map { Equality.areEqual($0.value, primitive) } ?? false)
  }
}

/// Parts of a value, if at least one of them changed.
///
/// ```swift
/// state.ifChanged(\.name, \.count).do { name, count in … }
/// ```
public struct ChangedParts<each Part> {
  /// The parts, or `nil` if none of them changed.
  package let parts: (repeat each Part)?

  /// Calls a closure with the parts if at least one of them changed.
  ///
  /// - Parameter perform: A closure that is called with the parts.
  /// - Returns: The result of the closure, or `nil` if it was not called.
  /// - Throws: The error of the closure.
  @discardableResult
  public func `do`<Result>(
    _ perform: (repeat each Part) throws -> Result
  ) rethrows -> Result? {
    guard let parts else { return nil }
    return try perform(repeat each parts)
  }
}

extension Changes {
  /// Returns parts of the value if at least one of them changed, or if there is no previous value.
  ///
  /// - Parameter keyPath: The parts.
  /// - Returns: The parts for ``ChangedParts/do(_:)``.
  public func ifChanged<each Part: Equatable>(
    _ keyPath: repeat KeyPath<Value, each Part>
  ) -> ChangedParts<repeat each Part> {
    guard hasChanges(repeat each keyPath) else { return ChangedParts(parts: nil) }
    return ChangedParts(parts: (repeat primitive[keyPath: each keyPath]))
  }

  /// Returns the change of an optional part of the value, or `nil` if the part is `nil`.
  ///
  /// - Parameter keyPath: The key path of the part.
  /// - Returns: The change of the part. Its `previous` is `nil` if there was no previous part.
  public func mapIfPresent<Part: Sendable>(
    _ keyPath: KeyPath<Value, Part?>
  ) -> Changes<Part>? {
    guard let part = primitive[keyPath: keyPath] else { return nil }
    let before = former.flatMap { former in
      former.value[keyPath: keyPath].map { StateVersion($0, of: former) }
    }
    return Changes<Part>(StateVersion(part, of: current), previous: before)
  }
}

extension ChangedParts: Sendable where repeat each Part: Sendable {}
