/// The position of the only ID that a holder references, if it is a stored property.
///
/// A trivial type, so that following a key retains nothing of the relationship.
@frozen
@usableFromInline
struct StoredKey<Holder: EntityType, Target: EntityType>: Sendable {
  /// The byte offset of the ID in the holder; -1 when the ID is not a stored property.
  @usableFromInline let offset: Int
  /// Whether the stored ID is optional.
  @usableFromInline let isOptional: Bool

  /// The value for a key that is not a stored property.
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

  /// Returns the ID that the holder references, or `nil`. The ID must be a stored property.
  @inlinable
  @inline(__always)
  func targetID(of holder: Holder) -> Target.EntityID? {
    withUnsafePointer(to: holder) { targetID(at: $0) }
  }

  /// Returns the ID that the holder at an address references, or `nil`. The ID must be a stored
  /// property.
  @inlinable
  @inline(__always)
  func targetID(at holder: UnsafePointer<Holder>) -> Target.EntityID? {
    // `offset(of:)` is documented for this use: it is the position of a stored property's value
    // of this type in the holder.
    let key = UnsafeRawPointer(holder) + offset
    return isOptional
      ? key.assumingMemoryBound(to: Target.EntityID?.self).pointee
      : key.assumingMemoryBound(to: Target.EntityID.self).pointee
  }
}
