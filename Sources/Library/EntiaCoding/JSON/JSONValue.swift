/// A JSON value in memory: for schemas, reports and other small texts.
///
/// Rows store flat text (``JSONText``) instead, whose depth cannot overflow the stack.
public enum JSONValue: Sendable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A number, with every digit.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; its members keep their order.
  case object([Member])

  /// One name and value of an object.
  public struct Member: Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONValue

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The maximum nesting depth of a parsed tree.
  ///
  /// Releasing a tree uses stack space for every level. This depth fits the smallest default stack
  /// of a thread.
  package static let maximumDepth = 512

  /// The value of a member, or nil if this value is not an object or has no such member.
  ///
  /// - Complexity: O(members).
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

extension JSONValue: Equatable {
  /// Returns whether two values are equal. Numbers are compared by their texts, strings by their
  /// bytes, arrays in order, and objects by their members in any order.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    JSONText(lhs) == JSONText(rhs)
  }
}

extension JSONValue {
  /// Parses one JSON text into a tree.
  ///
  /// - Throws: A ``JSONError`` if the text is invalid; ``JSONError/Kind/duplicateName`` if an
  ///   object has two members of the same name, and ``JSONError/Kind/tooDeep`` if more than 512
  ///   levels are nested.
  /// - Complexity: O(length of the text), plus sorting of the members of large objects.
  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    try JSONReader.reading(bytes, maximumDepth: maximumDepth) {
      (reader) throws(JSONError) -> JSONValue in
      let token = try reader.next()
      let value = try read(token, from: &reader)
      _ = try reader.next()
      return value
    }
  }

  /// Parses one JSON text into a tree.
  ///
  /// - Throws: The same errors as ``parse(_:)-([UInt8])``.
  /// - Complexity: O(length of the text), plus sorting of the members of large objects.
  package static func parse(_ text: String) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8))
  }

  /// An array or object whose end has not been read.
  private struct Open {
    let isObject: Bool
    var elements: [JSONValue] = []
    var names: [(name: String, offset: Int)] = []

    func closed() -> JSONValue {
      guard isObject else { return .array(elements) }
      return .object(zip(names, elements).map { Member($0.name, $1) })
    }

    /// The offset of the first name that repeats an earlier name.
    var duplicate: Int? {
      guard names.count > 1 else { return nil }
      let sorted = names.sorted {
        $0.name.utf8.elementsEqual($1.name.utf8)
          ? $0.offset < $1.offset : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }
      let again = zip(sorted, sorted.dropFirst()).filter {
        $0.name.utf8.elementsEqual($1.name.utf8)
      }
      return again.map(\.1.offset).min()
    }
  }

  private static func read(
    _ first: JSONToken, from reader: inout JSONReader
  ) throws(JSONError) -> JSONValue {
    var open: [Open] = []
    var token = first
    while true {
      var value: JSONValue?
      switch token {
      case .null: value = .null
      case .true: value = .bool(true)
      case .false: value = .bool(false)
      case .number: value = .number(reader.number())
      case .string: value = .string(reader.string())
      case .name: open[open.count - 1].names.append((reader.string(), reader.tokenStart))
      case .beginObject, .beginArray: open.append(Open(isObject: token == .beginObject))
      case .endObject, .endArray:
        let last = open.removeLast()
        if let offset = last.duplicate {
          throw reader.error(.duplicateName, "an object has two members of one name", at: offset)
        }
        value = last.closed()
      case .end: return .null
      }
      if let value {
        guard !open.isEmpty else { return value }
        open[open.count - 1].elements.append(value)
      }
      token = try reader.next()
    }
  }
}
