/// A JSON value as text in canonical form: the stored form of members that are not references.
///
/// The canonical form has no whitespace, sorts the members of every object by the UTF-8 bytes of
/// their names, has only the required escapes, and keeps numbers as written. Two values are
/// therefore equal if and only if their texts are equal, and a value nested 100,000 levels deep is
/// compared, copied and released like any string.
public struct JSONText: Hashable, Sendable {
  /// The canonical text.
  public let text: String

  /// The value `null`.
  public static let null = JSONText(canonical: "null")

  /// Creates a value from a text that is already canonical.
  package init(canonical text: String) { self.text = text }

  /// Creates the canonical text of a tree.
  ///
  /// - Complexity: O(size of the tree), plus sorting of the members of large objects.
  public init(_ value: JSONValue) {
    do {
      // A tree of any depth is written without recursion, so its text needs no depth limit.
      self = try JSONText.parse(value.bytes(), maximumDepth: .max, keepsDuplicates: true)
    } catch {
      // The reader accepts all text of the writer.
      self = .null
    }
  }

  /// Parses one JSON text.
  ///
  /// - Throws: A ``JSONError`` if the text is invalid; ``JSONError/Kind/duplicateName`` if an
  ///   object has two members of the same name.
  /// - Complexity: O(length of the text), plus sorting of the members of large objects.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONText {
    try parse(bytes, maximumDepth: JSONReader.defaultMaximumDepth, keepsDuplicates: false)
  }

  private static func parse(
    _ bytes: [UInt8], maximumDepth: Int, keepsDuplicates: Bool
  ) throws(JSONError) -> JSONText {
    try JSONReader.reading(bytes, maximumDepth: maximumDepth) {
      (reader) throws(JSONError) -> JSONText in
      var canonicalizer = JSONCanonicalizer()
      let token = try reader.next()
      let text = try canonicalizer.read(token, from: &reader)
      if let offset = canonicalizer.duplicates.min(), !keepsDuplicates {
        throw reader.error(.duplicateName, "an object has two members of one name", at: offset)
      }
      _ = try reader.next()
      return text
    }
  }

  /// Parses the text into a tree.
  ///
  /// - Throws: ``JSONError/Kind/tooDeep`` if the nesting exceeds ``JSONValue/maximumDepth``.
  /// - Complexity: O(length of the text).
  public func value() throws(JSONError) -> JSONValue { try JSONValue.parse(text) }

  /// Returns whether two texts have the same bytes.
  public static func == (lhs: JSONText, rhs: JSONText) -> Bool {
    lhs.text.isExactly(rhs.text)
  }

  /// Feeds the text to a hasher.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }

  /// Whether the value is `null`.
  public var isNull: Bool { self == .null }
}

extension JSONText: CustomStringConvertible {
  /// The canonical text.
  public var description: String { text }
}
