/// What makes bytes not a JSON text, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// The rule of the grammar, or the limit, that was broken.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is nothing but whitespace.
    case emptyInput
    /// The text ends inside a value.
    case unexpectedEnd
    /// A byte stands where the grammar allows none like it.
    case unexpectedByte
    /// Something follows the end of the one value a text may hold.
    case trailingContent
    /// A word is none of `true`, `false` and `null`.
    case invalidLiteral
    /// A number breaks the number grammar: a leading zero or plus, a bare point, an empty exponent.
    case invalidNumber
    /// A string holds a control character that must be escaped.
    case controlCharacter
    /// A backslash is followed by nothing that the grammar knows.
    case invalidEscape
    /// A `\u` escape names one half of a surrogate pair, without the other.
    case loneSurrogate
    /// The bytes are not UTF-8.
    case invalidUTF8
    /// Arrays and objects nest deeper than the limit in force.
    case tooDeep
    /// An object has two members of one name.
    case duplicateName
  }

  /// The rule that was broken.
  public let kind: Kind
  /// The byte where it was broken, counted from 0.
  public let offset: Int
  /// The line of that byte, counted from 1.
  public let line: Int
  /// The character within that line, counted from 1.
  public let column: Int
  /// What was found and what was expected, without the place.
  public let message: String

  /// Makes an error.
  public init(kind: Kind, offset: Int, line: Int, column: Int, message: String) {
    self.kind = kind
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }
}

extension JSONError: CustomStringConvertible {
  /// The message and the place, such as `expected a value, found '}' at line 1, column 8 (byte 7)`.
  public var description: String {
    "\(message) at line \(line), column \(column) (byte \(offset))"
  }
}
