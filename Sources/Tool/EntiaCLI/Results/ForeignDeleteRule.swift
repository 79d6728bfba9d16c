import EntiaDatabase

/// The effect of a foreign key in a file when a row is deleted.
struct ForeignDeleteRule: Equatable {
  /// The entity with the relationship.
  let entity: String
  /// The member with the relationship.
  let member: String
  /// The rule for the holders of a deleted row.
  let onDelete: NullableDeleteRule
  /// Whether deleting a row with references in the list is refused, because rows of a connecting
  /// table refer to it.
  let deniesHolder: Bool
}
