extension TransientMember: Codable {
  /// Creates the member with its declared value, and decodes nothing.
  /// - Parameter decoder: Not used.
  public init(from decoder: any Decoder) { self.init(Default.value) }

  /// Encodes nothing.
  /// - Parameter encoder: Not used.
  public func encode(to encoder: any Encoder) {}
}

extension KeyedEncodingContainer {
  /// Encodes nothing: a transient member has no key.
  /// - Parameters:
  ///   - member: The member.
  ///   - key: Not used.
  public mutating func encode<Default>(_ member: TransientMember<Default>, forKey key: Key) {
    TransientCopies.current?.add(member.value, at: codingPath, key)
  }
}

extension KeyedDecodingContainer {
  /// Returns a transient member with its declared value, and decodes nothing.
  /// - Parameters:
  ///   - type: The type of the member.
  ///   - key: Not used.
  /// - Returns: The member.
  public func decode<Default>(
    _ type: TransientMember<Default>.Type, forKey key: Key
  ) -> TransientMember<Default> {
    TransientMember(TransientCopies.current?.value(at: codingPath, key) ?? Default.value)
  }
}

/// Takes the transient members of a row over to a row that is decoded from its encoded members.
final class TransientCopies: @unchecked Sendable {
  // Unchecked: it is only used during the calls of its methods, on the thread of those calls.
  @TaskLocal static var current: TransientCopies?

  private var values: [String: any Sendable] = [:]
  private var isComplete = false

  /// Collects the transient members that a call encodes.
  func collect<Result>(_ encode: () throws -> Result) rethrows -> Result {
    defer { isComplete = true }
    return try Self.$current.withValue(self) { try encode() }
  }

  /// Assigns the collected members to the values that a call decodes.
  func restore<Result>(_ decode: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self) { try decode() }
  }

  fileprivate func add(
    _ value: some Sendable, at path: [any CodingKey], _ key: some CodingKey
  ) {
    if !isComplete { values[Self.place(path, key)] = value }
  }

  fileprivate func value<Value>(at path: [any CodingKey], _ key: some CodingKey) -> Value? {
    isComplete ? values[Self.place(path, key)] as? Value : nil
  }

  private static func place(_ path: [any CodingKey], _ key: some CodingKey) -> String {
    (path.map(\.stringValue) + [key.stringValue]).joined(separator: "\u{0}")
  }
}
