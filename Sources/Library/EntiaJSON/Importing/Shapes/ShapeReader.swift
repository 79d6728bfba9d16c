package import EntiaCoding

/// A reader of one of the shapes of JSON that can be imported.
package protocol ShapeReader {
  /// The path of the records in each input; nil for the whole input.
  var path: JSONPath? { get }
  /// The maximum nesting depth of an input.
  var maximumDepth: Int { get }

  /// Reports a problem at an offset of the current input.
  func add(_ kind: ImportProblem.Kind, at offset: Int, _ message: String)
}

// The problems of inputs.
extension ShapeReader {
  /// Reports a value of a form or type that is not allowed at its position.
  package func addMismatch(at offset: Int, _ message: String) {
    add(.typeMismatch, at: offset, message)
  }

  /// Reports a name that occurs twice in its object.
  package func addDuplicate(at offset: Int) {
    add(.duplicateKey, at: offset, "the object already has a member of this name")
  }

  /// Reports that a text is not valid JSON.
  package func addMalformed(_ error: JSONError) {
    add(.malformedJSON, at: error.offset, error.description)
  }
}

extension ShapeReader {
  /// Reads up to the value that contains the records.
  ///
  /// - Returns: Whether the value exists; otherwise a problem has been reported.
  package func descend(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    guard let path, let problem = try reader.descend(to: path) else { return true }
    addMismatch(at: reader.tokenStart, "there are no records at \(path): \(problem)")
    return false
  }

  /// Reads to the end of the outermost value, which contains the records. Reports repeated names on
  /// the path, because the path is then ambiguous.
  package func ascend(_ reader: inout JSONReader) throws(JSONError) {
    guard let path else { return }
    for offset in try reader.ascend(from: path) { addDuplicate(at: offset) }
  }

  /// Reads the next name of the object that has begun, or nil at its end. Reports a name that
  /// occurs twice, and skips its second value.
  ///
  /// - Parameter names: The names that were read before.
  package func nextName(
    _ names: inout Set<ExactString>, _ reader: inout JSONReader
  ) throws(JSONError) -> String? {
    while try reader.next() == .name {
      let name = reader.string()
      if names.insert(ExactString(name)).inserted { return name }
      addDuplicate(at: reader.tokenStart)
      try reader.skipValue(try reader.next())
    }
    return nil
  }

  /// Reads the elements of an array, or a single record.
  package func readRecords(
    _ reader: inout JSONReader,
    _ readRecord: (JSONToken, inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginArray else { return try readRecord(token, &reader) }
    while let token = try reader.nextElement() { try readRecord(token, &reader) }
  }

  /// Reads the errors of a server's document.
  ///
  /// - Parameter names: The members of an error that may contain its text, the best first.
  /// - Returns: The text of the first error; nil if there is none.
  package func firstMessage(
    _ token: JSONToken, _ names: [String], _ reader: inout JSONReader
  ) throws(JSONError) -> String? {
    guard token == .beginArray else {
      try reader.skipValue(token)
      return "the errors are no list"
    }
    var texts: [String: String] = [:]
    var count = 0
    while let element = try reader.nextElement() {
      count += 1
      guard count == 1, element == .beginObject else {
        try reader.skipValue(element)
        continue
      }
      while try reader.next() == .name {
        let name = reader.string()
        let value = try reader.next()
        if value == .string { texts[name] = reader.string().excerpt() }
        try reader.skipValue(value)
      }
    }
    if count == 0 { return nil }
    let text = names.lazy.compactMap { texts[$0] }.first ?? "an error without a text"
    return count == 1 ? text : "\(text), and \(count - 1) more"
  }

  /// Reads a record on each line; an invalid line does not affect the others.
  package func readLines(
    _ window: ByteWindow, _ readRecord: (JSONToken, inout JSONReader) throws(JSONError) -> Void
  ) {
    var lines = JSONLines(window)
    while let line = lines.next() {
      var reader = JSONReader(
        window, line.range, line: line.number, column: line.column, maximumDepth: maximumDepth)
      do {
        if path == nil {
          try readRecord(try reader.next(), &reader)
        } else {
          guard try descend(&reader) else { continue }
          try readRecords(&reader, readRecord)
          try ascend(&reader)
        }
        _ = try reader.next()
      } catch {
        addMalformed(error)
      }
    }
  }

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

  /// Checks that a value begins with the expected token. Otherwise reports a problem and skips the
  /// value.
  ///
  /// - Returns: Whether the token is the expected one.
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
