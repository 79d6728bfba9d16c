/// The rules for conflicts of one entity type.
struct MergeRule<Entity: EntityType>: Sendable {
  /// The fields that are merged, or `nil` for the encoded members.
  var fields: [MergeField<Entity>]?
  var resolve: (@Sendable (MergeConflict<Entity>) -> MergeResolution<Entity>)?
}
