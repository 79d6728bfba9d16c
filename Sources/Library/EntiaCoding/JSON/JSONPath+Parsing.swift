extension JSONPath {
  /// Creates a path from its text: `$.data.items`, `data.items`, `$["odd key"][0]`.
  ///
  /// A final `[*]`, for all elements, is accepted and ignored.
  ///
  /// - Parameter text: The text of the path.
  /// - Returns: Nil if the text is not a path of names and positions.
  /// - Complexity: O(length of the text).
  public init?(_ text: String) {
    var steps: [Step] = []
    var rest = text[...]
    if rest.hasSuffix("[*]") { rest = rest.dropLast(3) }
    if rest.first == "$" {
      rest = rest.dropFirst()
    } else if !rest.isEmpty, rest.first != "[" {
      rest = ("." + String(rest))[...]
    }
    while let first = rest.first {
      rest = rest.dropFirst()
      if first == "." {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        if name.isEmpty || name.contains("]") { return nil }
        steps.append(.name(String(name)))
        rest = rest.dropFirst(name.count)
        continue
      }
      guard first == "[", let step = Self.bracketed(&rest) else { return nil }
      steps.append(step)
    }
    self.init(steps)
  }

  /// Removes a position or a quoted name, and the closing bracket, from the start of a text.
  private static func bracketed(_ rest: inout Substring) -> Step? {
    guard let quote = rest.first else { return nil }
    let step: Step
    if quote == "'" || quote == "\"" {
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: quote) else { return nil }
      step = .name(String(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    } else {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let index = Int(digits) else { return nil }
      step = .index(index)
      rest = rest.dropFirst(digits.count)
    }
    guard rest.first == "]" else { return nil }
    rest = rest.dropFirst()
    return step
  }
}
