/// A key that references a missing entity.
@frozen
@usableFromInline
struct DanglingReference<Holder: EntityType, Target: EntityType>: Hashable, Sendable {
  @usableFromInline let holder: Holder.EntityID
  @usableFromInline let target: Target.EntityID

  @inlinable
  init(_ holder: Holder.EntityID, _ target: Target.EntityID) {
    self.holder = holder
    self.target = target
  }
}

/// The dangling references of one relationship that the difference between two versions adds or
/// removes, because the key of their holder or the existence of their target differs.
///
/// These references are expected in the version that the difference starts from. Other dangling
/// references indicate another version, in which other rows are missing.
@frozen
@usableFromInline
struct DanglingReferences<Holder: EntityType, Target: EntityType>: Sendable {
  /// The references that dangle in the older version.
  @usableFromInline var old: Set<DanglingReference<Holder, Target>> = []
  /// The references that dangle in the newer version.
  @usableFromInline var new: Set<DanglingReference<Holder, Target>> = []

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { old.isEmpty && new.isEmpty }
}

/// The dangling references of a relationship, for code that does not know the types.
@usableFromInline
protocol AnyDanglingReferences: Sendable {
  var isEmpty: Bool { get }
  var inverted: any AnyDanglingReferences { get }
  func composed(withAny later: any AnyDanglingReferences) -> any AnyDanglingReferences
  func encode(to encoder: any Encoder) throws
}

extension DanglingReferences: AnyDanglingReferences {
  @usableFromInline
  var inverted: any AnyDanglingReferences {
    var result = self
    swap(&result.old, &result.new)
    return result
  }

  @usableFromInline
  func composed(withAny later: any AnyDanglingReferences) -> any AnyDanglingReferences {
    guard let later = later as? Self else { return self }
    var result = self
    // A reference that dangled in the middle version and no longer does is in `later.old`.
    result.old.formUnion(later.old.subtracting(new))
    result.new.subtract(later.old)
    result.new.formUnion(later.new)
    return result
  }
}
