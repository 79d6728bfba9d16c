import EntiaDatabase

/// What a foreign key of a file does when a row is deleted.
struct ForeignDeleteRule: Equatable {
  /// The entity with the relationship.
  let entity: String
  /// The member with the relationship.
  let member: String
  /// The rule for the holders of a row that is deleted.
  let onDelete: NullableDeleteRule
  /// Whether a row with references cannot be deleted itself, because other rows connect it.
  let deniesHolder: Bool
}
