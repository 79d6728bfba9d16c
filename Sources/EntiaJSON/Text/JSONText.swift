/// A JSON value as text in its canonical form: what a row keeps of a member that is no reference.
///
/// The canonical form has no whitespace, the members of every object sorted by the UTF-8 of their
/// names, only the escapes that JSON demands, and numbers as they were written. So two values are
/// equal exactly when their texts are, and a value nested 100,000 levels deep is compared, copied
/// and released like any string.
public struct JSONText: Hashable, Sendable {
  /// The text.
  public let text: String

  /// The value `null`.
  public static let null = JSONText(canonical: "null")

  /// Wraps a text that is canonical already.
  init(canonical text: String) { self.text = text }

  /// Makes the text of a tree.
  ///
  /// - Complexity: O(size of the tree), and sorting for objects of many members.
  public init(_ value: JSONValue) {
    do {
      // A tree of any depth is written without recursion, so the text may nest as deep as it likes.
      self = try JSONText.parse(value.bytes(), maximumDepth: .max, keepsDuplicates: true)
    } catch {
      // The writer writes what the reader reads.
      self = .null
    }
  }

  /// Reads one text.
  ///
  /// - Throws: what is wrong with the text; also ``JSONError/Kind/duplicateName`` if an object has
  ///   two members of one name.
  /// - Complexity: O(length of the text), and sorting for objects of many members.
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

  /// Reads the text into a tree.
  ///
  /// - Throws: ``JSONError/Kind/tooDeep`` if it nests deeper than ``JSONValue/maximumDepth``.
  /// - Complexity: O(length of the text).
  public func value() throws(JSONError) -> JSONValue { try JSONValue.parse(text) }

  /// Says whether two texts have the same bytes.
  public static func == (left: JSONText, right: JSONText) -> Bool {
    left.text.isExactly(right.text)
  }

  /// Feeds the text to a hasher.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }

  /// Says whether the value is `null`.
  public var isNull: Bool { self == .null }
}

extension JSONText: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}
