/// The position of a value in a JSON text, such as `$[3].author` or `$["odd key"]`.
public struct JSONPath: Hashable, Sendable {
  /// One step from a value to one of its parts.
  package enum Step: Hashable, Sendable {
    /// The member of an object with this name.
    case name(String)
    /// The element of an array at this position, counted from 0.
    case index(Int)
    /// A number of omitted steps, in the path of a very deep value.
    case skipped(Int)
  }

  /// The steps from the root.
  package var steps: [Step]

  /// The path of the whole text.
  package static let root = JSONPath([])

  /// Creates a path.
  package init(_ steps: [Step]) { self.steps = steps }

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
  /// Returns the step, or `nil` if the text begins differently.
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

/// Finds the paths of offsets in a text, in one pass.
///
/// Readers keep only offsets, at no cost. Paths are found only when a problem is reported.
package struct JSONPathFinder {
  /// The number of steps that are kept at the start and at the end of a long path.
  private static let shownAtStart = 24
  private static let shownAtEnd = 8

  private struct Level {
    let isObject: Bool
    /// The index of the current element or member; -1 before the first.
    var index = -1
    /// The offset of the current member's name.
    var nameStart = 0
    /// The name of the current member if its value has parts; otherwise `nil`. The name is stored,
    /// because its bytes may be discarded before the path is needed.
    var name: String?
  }

  private var reader: JSONReader
  private let prefix: [JSONPath.Step]
  private var levels: [Level] = []

  private init(_ reader: JSONReader, prefix: [JSONPath.Step]) {
    self.reader = reader
    self.prefix = prefix
  }

  /// Returns a path for each offset: the path of the value or member that begins at the offset, or
  /// else the path of the enclosing value. The offsets must be in ascending order.
  ///
  /// - Complexity: O(length of the text up to the last offset + offsets).
  package static func paths(
    at offsets: [Int], in bytes: UnsafeBufferPointer<UInt8>, prefix: [JSONPath.Step] = []
  ) -> [JSONPath] {
    find(offsets, in: JSONReader(bytes, maximumDepth: .max), prefix: prefix)
  }

  /// Returns the paths of offsets in the text of a reader.
  package static func find(
    _ offsets: [Int], in reader: JSONReader, prefix: [JSONPath.Step] = []
  ) -> [JSONPath] {
    var finder = JSONPathFinder(reader, prefix: prefix)
    return finder.find(offsets)
  }

  private mutating func find(_ offsets: [Int]) -> [JSONPath] {
    var paths: [JSONPath] = []
    while paths.count < offsets.count {
      let before = reader.tokenEnd
      // The reader keeps the bytes since the last token, to locate an error, and the innermost
      // name, to create a path.
      reader.keptFrom =
        levels.last.map { $0.isObject ? min($0.nameStart, before) : before } ?? before
      do {
        let token = try reader.next()
        begin(token, at: reader.tokenStart)
        while paths.count < offsets.count, offsets[paths.count] <= reader.tokenStart {
          paths.append(path())
        }
        if token == .endArray || token == .endObject { levels.removeLast() }
        if token == .end { break }
      } catch {
        beginBroken(after: before, at: error.offset, isAfterName: reader.state == .value)
        break
      }
    }
    while paths.count < offsets.count { paths.append(path()) }
    return paths
  }

  private mutating func begin(_ token: JSONToken, at start: Int) {
    switch token {
    case .name:
      levels[levels.count - 1].index += 1
      levels[levels.count - 1].nameStart = start
      levels[levels.count - 1].name = nil
    case .endArray, .endObject:
      // A closing bracket has the path of its array or object, without an index or a name.
      levels[levels.count - 1].index = -1
    case .end:
      break
    default:
      if let last = levels.indices.last {
        if !levels[last].isObject {
          levels[last].index += 1
        } else if token.opens {
          levels[last].name = name(at: levels[last].nameStart)
        }
      }
      if token.opens { levels.append(Level(isObject: token == .beginObject)) }
    }
  }

  /// Sets the path of a syntax error: the path of the member or element in which the error is. A
  /// member begins with its name, and an element after a bracket or comma. An error outside of
  /// members and elements has the path of the enclosing array or object.
  private mutating func beginBroken(after before: Int, at offset: Int, isAfterName: Bool) {
    guard let last = levels.indices.last else { return }
    if levels[last].isObject {
      if !isAfterName { levels[last].index = -1 }
      return
    }
    let between = reader.bytes(min(before, offset)..<min(offset, reader.count))
    let hasBegun = levels[last].index < 0 || between.contains(Byte.comma)
    levels[last].index = hasBegun ? levels[last].index + 1 : -1
  }

  private func path() -> JSONPath {
    var steps = prefix
    let shown = Self.shownAtStart + Self.shownAtEnd
    for level in levels.prefix(Self.shownAtStart) { append(level, to: &steps) }
    if levels.count > shown { steps.append(.skipped(levels.count - shown)) }
    let rest = max(Self.shownAtStart, levels.count - Self.shownAtEnd)
    for level in levels.dropFirst(rest) { append(level, to: &steps) }
    return JSONPath(steps)
  }

  private func append(_ level: Level, to steps: inout [JSONPath.Step]) {
    guard level.index >= 0 else { return }
    guard level.isObject else { return steps.append(.index(level.index)) }
    if let name = level.name ?? name(at: level.nameStart) {
      steps.append(.name(name))
    } else {
      steps.append(.index(level.index))
    }
  }

  private func name(at start: Int) -> String? {
    var reader = reader.reader(from: start)
    do {
      // This name has been read before without an error.
      return try reader.next() == .string ? reader.string() : nil
    } catch {
      return nil
    }
  }
}
