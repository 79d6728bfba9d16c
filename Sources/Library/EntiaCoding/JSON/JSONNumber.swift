/// A JSON number that keeps every digit of its text.
///
/// Two numbers are equal if their texts are equal: `1`, `1.0` and `1e0` are three numbers of the
/// same value. The order is by exact value, for digits and exponents of any length; numbers of
/// equal value are ordered by the bytes of their texts.
public struct JSONNumber: Hashable, Sendable {
  /// The text of the number, as in the input.
  public let text: String

  /// Creates a number from a text, or nil if the text is not a JSON number.
  ///
  /// - Complexity: O(length of the text).
  public init?(_ text: String) {
    let isNumber = JSONReader.reading(Array(text.utf8)) { reader -> Bool in
      do {
        let token = try reader.next()
        // The reader accepts whitespace around a number, but the number's text has none.
        return token == .number && reader.tokenStart == 0 && reader.tokenEnd == reader.count
      } catch {
        return false
      }
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// Creates a number from an integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Creates a number from a text that a reader has validated.
  package init(checked text: String) { self.text = text }

  /// Whether the text is an integer, without point and exponent.
  public var isInteger: Bool {
    text.utf8.allSatisfy { Byte.isDigit($0) || $0 == Byte.minus }
  }

  /// Whether the text is the plain notation of an integer: not `-0`, which has the value of `0`.
  package var isPlainInteger: Bool { isInteger && text != "-0" }

  /// The value if the text is an integer that fits, otherwise nil.
  public var integer: Int? {
    // Of all JSON numbers, `Int` parses only those without point and exponent.
    Int(text)
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The text of the number.
  public var description: String { text }
}
