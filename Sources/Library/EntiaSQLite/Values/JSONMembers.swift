import Foundation

/// The members of a JSON object as it writes them, so that no digit of a number is lost.
enum JSONMembers {
  /// Returns the key, as a JSON string, and the value of each member of an object.
  /// - Parameter text: A valid JSON text without spaces between its tokens.
  static func members(of text: Data) -> [(key: Data, value: Data)] {
    guard text.first == UInt8(ascii: "{") else { return [] }
    var result: [(key: Data, value: Data)] = []
    var key: Data?
    var start = text.startIndex + 1
    visit(text) { index, byte, depth in
      switch byte {
      case UInt8(ascii: ":") where depth == 1 && key == nil:
        key = text[start..<index]
        start = index + 1
      case UInt8(ascii: ",") where depth == 1, UInt8(ascii: "}") where depth == 0:
        if let key { result.append((key, text[start..<index])) }
        key = nil
        start = index + 1
      default: break
      }
    }
    return result
  }

  /// Whether a text has a name such as `NaN` outside its strings.
  static func hasName(_ text: Data) -> Bool {
    var result = false
    visit(text) { _, byte, _ in if byte == UInt8(ascii: "N") { result = true } }
    return result
  }

  /// Calls the closure with every byte outside strings, and the number of arrays and objects around
  /// it.
  private static func visit(
    _ text: Data, _ body: (_ index: Int, _ byte: UInt8, _ depth: Int) -> Void
  ) {
    var depth = 0
    var isString = false
    var isEscaped = false
    for (index, byte) in zip(text.indices, text) {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      body(index, byte, depth)
    }
  }
}
