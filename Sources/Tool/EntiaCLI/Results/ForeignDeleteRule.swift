import EntiaDatabase

/// The effect of a foreign key in a file when a row is deleted.
struct ForeignDeleteRule: Equatable {
  /// The entity with the relationship.
  let entity: String
  /// The member with the relationship.
  let member: String
  /// The rule for the holders of a deleted row.
  let onDelete: NullableDeleteRule
  /// Whether the file refuses to delete a holder while the holder's list has references. The
  /// references are rows of a connecting table, and these rows refer to the holder.
  let deniesHolder: Bool
}
