/// One input, in memory.
public struct ImportSource: Sendable {
  /// The name that problems call it by.
  public let name: String
  /// The content.
  public let bytes: [UInt8]

  /// Makes an input.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}
