/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// The number of bytes read, of all inputs.
  public let bytes: Int
  /// The number of records read; each occurrence is counted.
  public let records: Int
}
