public import Testing

// A call of one of these functions is compiled in a tenth of the time of the macro `#expect`, which
// makes up a third of the compilation of a test. They report the same: the values and the place.

/// Records an issue with both values unless they are equal.
public func expectEqual<Value: Equatable>(
  _ found: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) {
  if found == expected { return }
  record(
    "\(String(reflecting: found)) == \(String(reflecting: expected))", comment(),
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Records an issue with the value unless it is `nil`.
public func expectNil<Value>(
  _ found: Value?, _ comment: @autoclosure () -> Comment? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) {
  guard let found else { return }
  record(
    "\(String(reflecting: found)) == nil", comment(),
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Records an issue unless the condition is true.
public func expectTrue(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) {
  if condition { return }
  record(
    "the condition is false", comment(),
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Records an issue if the condition is true.
public func expectFalse(
  _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil,
  fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) {
  if !condition { return }
  record(
    "the condition is true", comment(),
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

private func record(_ expectation: String, _ comment: Comment?, _ location: SourceLocation) {
  let reason = comment.map { "\n\($0.rawValue)" } ?? ""
  Issue.record("Expectation failed: \(expectation)\(reason)", sourceLocation: location)
}
