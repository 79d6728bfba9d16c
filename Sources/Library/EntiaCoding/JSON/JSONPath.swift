/// The position of a value in a JSON text, such as `$[3].author` or `$["odd key"]`.
public struct JSONPath: Hashable, Sendable {
  /// One step from a value to one of its parts.
  public enum Step: Hashable, Sendable {
    /// The member of an object with this name.
    case name(String)
    /// The element of an array at this position, counted from 0.
    case index(Int)
    /// A number of omitted steps, in the path of a very deep value.
    case skipped(Int)
  }

  /// The steps from the root.
  public var steps: [Step]

  /// The path of the whole text.
  public static let root = JSONPath([])

  /// Creates a path.
  public init(_ steps: [Step]) { self.steps = steps }

  /// Returns the path of a member of this value.
  package func name(_ name: String) -> JSONPath { JSONPath(steps + [.name(name)]) }

  /// Returns the path of an element of this value.
  package func index(_ index: Int) -> JSONPath { JSONPath(steps + [.index(index)]) }
}

extension JSONPath: CustomStringConvertible {
  /// The path as text. Names that are plain words follow a point, other names are quoted in
  /// brackets.
  public var description: String {
    var text = "$"
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .skipped(let count): text += "…(\(count) more)…"
      case .name(let name): text += Self.isWord(name) ? ".\(name)" : "[\(name.quoted)]"
      }
    }
    return text
  }

  private static func isWord(_ name: String) -> Bool {
    guard let first = name.utf8.first, !Byte.isDigit(first), name.utf8.count <= 60 else {
      return false
    }
    return name.utf8.allSatisfy {
      Byte.isDigit($0) || $0 == UInt8(ascii: "_")
        || ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
    }
  }
}

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
