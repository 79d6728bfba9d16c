/// A key of at most one ID that is not a plain optional ID, with closures to read and write it.
@usableFromInline
struct DerivedOptionalKey<Holder: EntityType, Target: EntityType>: Sendable {
  let read: @Sendable (Holder) -> Target.EntityID?
  /// Empties the key; `nil` when the key cannot be emptied.
  var clear: (@Sendable (inout Holder) -> Void)?
}
