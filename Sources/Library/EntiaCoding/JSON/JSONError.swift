/// An error in a JSON text: the rule that is broken, and the position.
public struct JSONError: Error, Hashable, Sendable {
  /// A rule of the grammar, or a limit.
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
  public init(kind: Kind, offset: Int, line: Int, column: Int, message: String) {
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
