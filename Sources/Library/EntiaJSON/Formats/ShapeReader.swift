package import EntiaCoding

/// A reader of one of the shapes of JSON that can be imported.
package protocol ShapeReader {
  /// Reports a value of a form or type that is not allowed at its position.
  func addMismatch(at offset: Int, _ message: String)
}

extension ShapeReader {
  /// Reads the beginning of a value. Reports and skips a value of another kind.
  ///
  /// - Parameters:
  ///   - kind: The token that begins the value.
  ///   - expected: The description of the value, such as "an array of records".
  /// - Returns: Whether the value is of the kind.
  package func begin(
    _ kind: JSONToken, _ expected: @autoclosure () -> String, _ reader: inout JSONReader
  ) throws(JSONError) -> Bool {
    try accept(try reader.next(), as: kind, expected(), &reader)
  }

  /// Checks the value that a token begins. Reports and skips a value of another kind.
  ///
  /// - Returns: Whether the value is of the kind.
  package func accept(
    _ token: JSONToken, as kind: JSONToken, _ expected: @autoclosure () -> String,
    _ reader: inout JSONReader
  ) throws(JSONError) -> Bool {
    if token == kind { return true }
    try reject(token, expected(), &reader)
    return false
  }

  /// Reports and skips the value that a token begins.
  package func reject(
    _ token: JSONToken, _ expected: String, _ reader: inout JSONReader
  ) throws(JSONError) {
    addMismatch(at: reader.tokenStart, "expected \(expected), found \(token.kindDescription)")
    try reader.skipValue(token)
  }
}

extension JSONReader {
  /// Reads the first token of the next element of an array, or nil at the end of the array.
  package mutating func nextElement() throws(JSONError) -> JSONToken? {
    let token = try next()
    return token == .endArray ? nil : token
  }
}
