/// The differences between the encoded parts and those of the storage that decoding accepts.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.userInfo[.storageDecoding] = StorageDecodingOptions.missingTables
/// let library = try decoder.decode(Library.self, from: data)
/// ```
///
/// Allow `missingTables` to read files that are older than a table, and `unknownNames` to drop
/// the rows of a table that the storage no longer has. A renamed table is both: if both are
/// allowed, its rows are lost.
public struct StorageDecodingOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from bits.
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A table or a part of held IDs that is not encoded keeps the contents of `init()` of the
  /// storage.
  public static let missingTables = Self(rawValue: 1)

  /// Names for which the storage has no part are ignored.
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
