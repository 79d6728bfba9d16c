/// A key of one ID or none that is not simply an optional ID: how it is read and written.
@usableFromInline
struct DerivedOptionalKey<Holder: EntityType, Target: EntityType>: Sendable {
  let read: @Sendable (Holder) -> Target.EntityID?
  /// Makes the key name nothing, or is `nil` where that cannot be written.
  var clear: (@Sendable (inout Holder) -> Void)?
}
