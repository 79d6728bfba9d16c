/// Where a holder keeps the one ID that it names: a stored property of it, or not.
///
/// Plain words, so that following a key retains nothing of the relationship.
@frozen
@usableFromInline
struct StoredKey<Holder: EntityType, Target: EntityType>: Sendable {
  /// How far the ID is from the beginning of the holder; -1 when it is not a stored property.
  @usableFromInline let offset: Int
  /// Whether it is an optional ID.
  @usableFromInline let isOptional: Bool

  /// No stored property.
  static var none: Self { Self(offset: nil, isOptional: false) }

  init(required path: KeyPath<Holder, Target.EntityID>) {
    self.init(offset: MemoryLayout<Holder>.offset(of: path), isOptional: false)
  }

  init(optional path: KeyPath<Holder, Target.EntityID?>) {
    self.init(offset: MemoryLayout<Holder>.offset(of: path), isOptional: true)
  }

  private init(offset: Int?, isOptional: Bool) {
    self.offset = offset ?? -1
    self.isOptional = isOptional
  }

  @inlinable
  @inline(__always)
  var isThere: Bool { offset >= 0 }

  /// Returns the ID that the holder names, or `nil`. There must be a stored property.
  @inlinable
  @inline(__always)
  func targetID(of holder: Holder) -> Target.EntityID? {
    withUnsafePointer(to: holder) { targetID(at: $0) }
  }

  /// The same for a holder where it lies.
  @inlinable
  @inline(__always)
  func targetID(at holder: UnsafePointer<Holder>) -> Target.EntityID? {
    // `offset(of:)` is documented for exactly this: it is the place of a stored property's value of
    // this type inside the holder.
    let place = UnsafeRawPointer(holder) + offset
    return isOptional
      ? place.assumingMemoryBound(to: Target.EntityID?.self).pointee
      : place.assumingMemoryBound(to: Target.EntityID.self).pointee
  }
}
