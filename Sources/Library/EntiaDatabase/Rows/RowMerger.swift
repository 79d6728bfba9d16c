import EntiaCoding
public import EntiaCollections
import Foundation

/// Merges the members of two versions of a row, one by one.
public struct RowMerger: Sendable {
  /// The names of the members that both versions changed to different values.
  package private(set) var conflicts: [String] = []
  /// The names of the members that *theirs* changed; recorded only if `names` is not `nil`.
  private(set) var changes: [String] = []
  /// The names of the members to merge, or `nil` for all. All other members keep the value of
  /// *mine*.
  @usableFromInline let names: Set<String>?
  /// Whether a merger with `names` also merges all other members.
  private var mergesAll = false

  /// Creates a merger of one row.
  package init() { names = nil }

  /// Creates a merger of some members of one row. It records the members that *theirs* changed.
  init(of names: Set<String>) { self.names = names }

  /// A merger of all members of one row, which records the members that *theirs* changed.
  static var recording: RowMerger {
    var merger = RowMerger(of: [])
    merger.mergesAll = true
    return merger
  }

  /// Returns the value of the side that changed a member, or `mine` if neither or both changed it.
  @inlinable
  public mutating func merged<Value: Equatable>(
    _ name: StaticString, _ mine: Value, _ theirs: Value, base: Value
  ) -> Value {
    merged(name, mine, theirs, base: base) {
      // The condition is a constant in specialized code.
      Self.isWhole(Value.self) ? haveSameValue($0, $1) : Self.haveSameMembers($0, $1)
    }
  }

  /// Returns the value of the side that changed a member, or `mine` if neither or both changed it.
  @inlinable
  public mutating func merged<Entity: EntityType>(
    _ name: StaticString, _ mine: EntityIdentifier<Entity>, _ theirs: EntityIdentifier<Entity>,
    base: EntityIdentifier<Entity>
  ) -> EntityIdentifier<Entity> {
    merged(name, mine, theirs, base: base) { haveSameValue($0, $1) }
  }

  /// Returns the value of the side that changed a member, or `mine` if neither or both changed it.
  @inlinable
  public mutating func merged<Entity: EntityType>(
    _ name: StaticString, _ mine: EntityIdentifier<Entity>?, _ theirs: EntityIdentifier<Entity>?,
    base: EntityIdentifier<Entity>?
  ) -> EntityIdentifier<Entity>? {
    merged(name, mine, theirs, base: base) { haveSameValue($0, $1) }
  }

  /// Returns the value of the side that changed a member, or `mine` if neither or both changed it.
  /// Values that can neither be compared nor encoded count as equal.
  @_disfavoredOverload
  @inlinable
  public mutating func merged<Value>(
    _ name: StaticString, _ mine: Value, _ theirs: Value, base: Value
  ) -> Value {
    merged(name, mine, theirs, base: base) { Self.haveSameForm($0, $1) }
  }

  @inlinable
  @inline(__always)
  mutating func merged<Value>(
    _ name: StaticString, _ mine: Value, _ theirs: Value, base: Value,
    by areSame: (Value, Value) -> Bool
  ) -> Value {
    if areSame(theirs, base) { return mine }
    if names != nil, !addChange(name) { return mine }
    if areSame(mine, base) || areSame(mine, theirs) { return theirs }
    addConflict(name)
    return mine
  }

  /// Records that *theirs* changed a member, if the member is to be merged.
  /// - Returns: Whether the member is to be merged.
  @inline(never)
  @usableFromInline
  mutating func addChange(_ name: StaticString) -> Bool {
    let name = name.description
    guard mergesAll || names?.contains(name) != false else { return false }
    changes.append(name)
    return true
  }

  @inline(never)
  @usableFromInline
  mutating func addConflict(_ name: StaticString) { conflicts.append(name.description) }
}

extension RowMerger {
  /// Whether `==` of a type is known to compare everything that values of the type encode. The
  /// result is a constant in specialized code.
  @inlinable
  @inline(__always)
  static func isWhole<Value>(_ type: Value.Type) -> Bool {
    isEqualToItself(type) || type == Double.self || type == Float.self || type == String?.self
      || type == Int?.self || type == Double?.self || type == Bool?.self
  }

  /// Whether two members are equal by `==` and also have the same encoded form. Comparing by `==`
  /// is not enough, because the `==` of a type may ignore some properties.
  @inline(never)
  @usableFromInline
  static func haveSameMembers<Value: Equatable>(_ lhs: Value, _ rhs: Value) -> Bool {
    haveSameBits(lhs, rhs) || (haveSameValue(lhs, rhs) && haveSameForm(lhs, rhs))
  }

  /// Whether two members have the same encoded form.
  @inline(never)
  @usableFromInline
  static func haveSameForm<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
    if haveSameBits(lhs, rhs) { return true }
    switch (encodable(lhs), encodable(rhs)) {
    case (let lhs?, let rhs?):
      do {
        return try MemberNode.haveSameValue(.init(.leaf(.value(lhs))), .init(.leaf(.value(rhs))))
      } catch {
        return false
      }
    case (nil, nil): return true
    default: return false
    }
  }

  /// Returns the value that is encoded for a member: the member or its raw value. Returns `nil` if
  /// neither can be encoded.
  private static func encodable(_ value: Any) -> (any Encodable)? {
    func rawValue(_ value: some RawRepresentable) -> (any Encodable)? {
      value.rawValue as? any Encodable
    }
    if let value = value as? any Encodable { return value }
    return (value as? any RawRepresentable).flatMap { rawValue($0) }
  }
}

/// Whether two values have the same bytes, as an unchanged value usually has in two versions.
/// Values with different bytes may be equal, too.
package func haveSameBits<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  withUnsafeBytes(of: lhs) { lhs in
    withUnsafeBytes(of: rhs) { rhs in
      guard let lhs = lhs.baseAddress, let rhs = rhs.baseAddress else { return true }
      return memcmp(lhs, rhs, MemoryLayout<Value>.size) == 0
    }
  }
}
