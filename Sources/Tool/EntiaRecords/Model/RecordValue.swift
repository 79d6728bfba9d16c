public import EntiaCoding

/// The stored value of one member.
public enum RecordValue: Hashable, Sendable {
  /// A value without references; also the `null` of an empty reference.
  case plain(JSONText)
  /// The row that a to-one relationship refers to.
  case reference(RecordID)
  /// The rows that a to-many relationship refers to, in order.
  case references([RecordID])

  /// The value `null`.
  static let null = RecordValue.plain(.null)
}
