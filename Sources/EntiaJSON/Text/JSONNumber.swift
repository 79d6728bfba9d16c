/// A number as JSON writes it, with every digit of its text.
///
/// Two numbers are equal when they are written alike: `1`, `1.0` and `1e0` are three numbers of one
/// value. Order is by value, exactly, however long the digits or the exponent; texts of one value
/// follow one another in the order of their bytes.
public struct JSONNumber: Hashable, Sendable {
  /// The number as written.
  public let text: String

  /// Makes a number from a text; nil if the text breaks JSON's number grammar.
  ///
  /// - Complexity: O(length of the text).
  public init?(_ text: String) {
    let isNumber = JSONReader.reading(Array(text.utf8)) { reader -> Bool in
      do {
        let token = try reader.next()
        // Whitespace around a number is the text's, not the number's.
        return token == .number && reader.tokenStart == 0 && reader.tokenEnd == reader.count
      } catch {
        return false
      }
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// Makes a number from an integer.
  public init(_ value: some BinaryInteger) { text = String(value) }

  /// Makes a number from a text that a reader has checked.
  init(checked text: String) { self.text = text }

  /// Says whether the number is written as an integer, without point and exponent.
  public var isInteger: Bool {
    text.utf8.allSatisfy { Byte.isDigit($0) || $0 == Byte.minus }
  }

  /// Says whether the text is the only one of its value among integers: digits alone, and not `-0`.
  var isPlainInteger: Bool { isInteger && text != "-0" }

  /// The value, if it is written as an integer that fits; nil otherwise.
  public var integer: Int? {
    // Of the texts that are JSON numbers, those that this reads are the integers.
    Int(text)
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as written.
  public var description: String { text }
}
