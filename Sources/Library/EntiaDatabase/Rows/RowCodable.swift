/// An entity whose members are read, written and merged by code that `@Entity` generates.
///
/// The rows have the same form as those of the same entity with a synthesized `Codable`: the same
/// JSON, the same columns, the same bytes. `@Entity` implements `Codable` by this code, too, unless
/// the entity declares its own.
public protocol RowCodable: Codable {
  /// Creates the entity from the members of a row.
  /// - Parameter row: The row.
  /// - Throws: `DecodingError` if a member without a default is missing, or if a member has another
  ///   type.
  init<Row: RowReader & ~Copyable>(row: inout Row) throws

  /// Writes the members to a row, in the order of their declaration.
  /// - Parameter row: The row.
  /// - Throws: The error that encoding a member throws.
  func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws

  /// Creates the entity with the members that either of two versions changed.
  /// - Parameters:
  ///   - mine: One version.
  ///   - theirs: Another version.
  ///   - base: The version that both were before.
  ///   - merger: Chooses each member, and records the members that both versions changed.
  // Not consuming, as the parameters of an initializer are otherwise: each row would be copied.
  init(
    merging mine: borrowing Self, with theirs: borrowing Self, base: borrowing Self,
    by merger: inout RowMerger)
}
