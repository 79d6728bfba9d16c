/// What a row keeps of one member.
public enum RecordValue: Hashable, Sendable {
  /// A value that names no row; also the `null` of an empty reference.
  case plain(JSONText)
  /// The row that a to-one relationship names.
  case reference(RecordID)
  /// The rows that a to-many relationship names, in their order.
  case references([RecordID])

  /// The value `null`.
  static let null = RecordValue.plain(.null)
}
