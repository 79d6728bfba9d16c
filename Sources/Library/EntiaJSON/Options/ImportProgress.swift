/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// The number of bytes read, of all inputs.
  public let bytes: Int
  /// The number of records read; each occurrence is counted.
  public let records: Int

  package init(bytes: Int, records: Int) {
    self.bytes = bytes
    self.records = records
  }
}
