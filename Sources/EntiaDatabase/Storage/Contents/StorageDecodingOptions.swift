/// What decoding a database passes over, where its encoded form has other parts than the storage.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.userInfo[.storageDecoding] = StorageDecodingOptions.missingTables
/// let library = try decoder.decode(Library.self, from: data)
/// ```
///
/// Allow `missingTables` to read files that are older than a table, and `unknownNames` to drop the
/// rows of a table that the storage no longer has. A table that was renamed is both: allowing both
/// then loses its rows.
public struct StorageDecodingOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options of bits.
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A table, or a part of held IDs, that is not encoded stays as `init()` of the storage has it.
  public static let missingTables = Self(rawValue: 1)

  /// Names that the storage has no part for are ignored.
  public static let unknownNames = Self(rawValue: 2)
}

extension CodingUserInfoKey {
  /// The key of the `StorageDecodingOptions` in the `userInfo` of a decoder.
  public static let storageDecoding = CodingUserInfoKey(unfailing: "entia.storageDecoding")

  private init(unfailing name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("\(name) is no key")
    }
    self = key
  }
}
