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
  /// - Throws: ``JSONError/Kind/tooDeep`` if more than 512 levels are nested.
  /// - Complexity: O(length of the text).
  public func value() throws(JSONError) -> JSONValue { try JSONValue.parse(text) }

  /// Returns whether two texts have the same bytes.
  public static func == (lhs: JSONText, rhs: JSONText) -> Bool {
    lhs.text.isExactly(rhs.text)
  }

  /// Feeds the text to a hasher.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }

  /// Whether the value is `null`.
  package var isNull: Bool { self == .null }
}

extension JSONText: CustomStringConvertible {
  /// The canonical text.
  public var description: String { text }
}

/// An error in a JSON text: the rule that is broken, and the position.
public struct JSONError: Error, Hashable, Sendable {
  /// The rule of the grammar that a text violates, or the limit that it exceeds.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The text is empty or only whitespace.
    case emptyInput
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte is not allowed at its position.
    case unexpectedByte
    /// The text continues after the end of its one value.
    case trailingContent
    /// A word is not `true`, `false` or `null`.
    case invalidLiteral
    /// A number violates the grammar: a leading zero or plus, a bare point, or an empty exponent.
    case invalidNumber
    /// A string contains a control character that is not escaped.
    case controlCharacter
    /// A backslash is not followed by a valid escape.
    case invalidEscape
    /// A `\u` escape encodes one half of a surrogate pair, without the other half.
    case loneSurrogate
    /// The bytes are not UTF-8.
    case invalidUTF8
    /// The nesting of arrays and objects exceeds the limit.
    case tooDeep
    /// An object has two members of the same name.
    case duplicateName
  }

  /// The rule that was broken.
  public let kind: Kind
  /// The byte offset of the error, counted from 0.
  public let offset: Int
  /// The line of the error, counted from 1.
  public let line: Int
  /// The column of the error in Unicode scalars, counted from 1.
  public let column: Int
  /// The found and the expected text, without the position.
  public let message: String

  /// Creates an error.
  package init(kind: Kind, offset: Int, line: Int, column: Int, message: String) {
    self.kind = kind
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The message and the position, such as `expected a value, found '}' at line 1, column 8 (byte
  /// 7)`.
  public var description: String {
    "\(message) at line \(line), column \(column) (byte \(offset))"
  }
}
