import EntiaCoding
import EntiaDatabase
import Foundation

/// The state shared by the encoders of one export: the options, and the nested entities.
final class EncodingRun {
  let options: TypedExportOptions
  /// The writers of the IDs of entities that have a table, by the type of the ID.
  var idWriters: [ObjectIdentifier: AnyObject] = [:]
  /// The writers of inverse relationships, each an ``InverseWriter``, by the type of the referenced
  /// entity.
  var inverses: [ObjectIdentifier: [AnyObject]] = [:]
  /// The nesting depth: the number of entities that have begun and not ended.
  private(set) var level = 0
  /// The number of references that the current branch has followed.
  var references = 0
  let depth: Int
  /// The number of bytes left for the output.
  @exclusivity(unchecked) private var bytesLeft: Int
  private let maximumBytes: Int
  private var fanOut = DenormalizeProblem.FanOut(rows: 0)
  private var spellings: [String: String] = [:]
  // Exclusivity is unchecked, because many members access this property. An export runs on one
  // thread, and its accesses do not overlap.
  @exclusivity(unchecked) private var byteTexts: [ByteTexts] = []
  /// Whether members in the output have exactly the names of the properties.
  let keepsNames: Bool
  /// The names of the encoded value's members that are `nil`; `nil` if they are not recorded.
  @exclusivity(unchecked) var missingNames: [String]?

  init(_ options: TypedExportOptions, depth: Int, maximumBytes: Int = .max) {
    bytesLeft = maximumBytes
    self.maximumBytes = maximumBytes
    if case .same = options.keys { keepsNames = true } else { keepsNames = false }
    self.options = options
    self.depth = min(max(depth, 0), TypedExportOptions.maximumDepth)
  }

  /// Counts the bytes of a name, its quotes and its separator. If the output then exceeds the
  /// limit, encoding the value after the name throws.
  func countName(_ name: String) { countName(ofLength: name.utf8.count) }

  func countName(ofLength length: Int) { bytesLeft -= length + 3 }

  /// Counts the bytes of a value, and its separator.
  func count(bytes: Int) throws {
    bytesLeft -= bytes + 1
    if bytesLeft < 0 {
      throw DenormalizeProblem.tooLarge(maximumBytes: maximumBytes, fanOut: fanOut)
    }
  }

  func counted(_ text: JSONText) throws -> JSONText {
    try count(bytes: text.text.utf8.count)
    return text
  }

  /// Begins an export with a number of rows at the top level.
  func begin(rows: Int) { fanOut = DenormalizeProblem.FanOut(rows: rows) }

  /// Counts a completed row at the top level.
  func countWritten() { fanOut.written += 1 }

  func beginEntity() {
    if level > 0 { fanOut.countNested(at: level) }
    level += 1
  }

  func endEntity() { level -= 1 }

  /// Whether the output may contain entities inside of others.
  var nests: Bool { depth > 0 || !inverses.isEmpty }

  func spelled(_ name: String) -> String {
    if keepsNames { return name }
    if let known = spellings[name] { return known }
    let spelled = options.keys.spelled(name)
    spellings[name] = spelled
    return spelled
  }

  /// Writes a value. An ID may be replaced by its entity.
  func write<T: Encodable>(
    _ value: T, to json: inout JSONWriter, at path: @autoclosure () -> [any CodingKey]
  ) throws {
    let type: Any.Type = T.self
    if type == [Int].self { return try write(unsafeBitCast(value, to: [Int].self), to: &json) }
    if type == [String].self {
      return try write(unsafeBitCast(value, to: [String].self), to: &json)
    }
    if let writer = idWriters[ObjectIdentifier(T.self)] {
      // A writer is stored under the type that it writes.
      return try unsafeDowncast(writer, to: IDWriter<T>.self).write(value, to: &json, self)
    }
    if MemoryLayout<T>.size == 1, _isPOD(T.self) {
      let text = try text(ofByte: value, at: path)
      try count(bytes: text.text.utf8.count)
      return json.text(text)
    }
    try encode(value, at: path()).write(to: &json)
  }

  func write(_ text: String, to json: inout JSONWriter) throws {
    let count = json.bytes.count
    json.string(text)
    try self.count(bytes: json.bytes.count - count)
  }

  /// Returns the text of a value of one byte, such as a case of an enum.
  ///
  /// The byte alone determines the text. Therefore the text is computed only once for each byte.
  private func text<T: Encodable>(
    ofByte value: T, at path: () -> [any CodingKey]
  ) throws -> JSONText {
    let byte = Int(unsafeBitCast(value, to: UInt8.self))
    let type = ObjectIdentifier(T.self)
    let known = byteTexts.firstIndex { $0.type == type }
    if let known, let text = byteTexts[known].texts[byte] { return text }
    let node = try encode(value, at: path())
    let text = JSONWriter.text { node.write(to: &$0) }
    let index = known ?? byteTexts.count
    if known == nil { byteTexts.append(ByteTexts(type: type)) }
    byteTexts[index].texts[byte] = text
    return text
  }

  private func write(_ numbers: [Int], to json: inout JSONWriter) throws {
    let count = json.bytes.count
    json.beginArray()
    for number in numbers { json.integer(number) }
    json.endArray()
    try self.count(bytes: json.bytes.count - count)
  }

  private func write(_ texts: [String], to json: inout JSONWriter) throws {
    let count = json.bytes.count
    json.beginArray()
    for text in texts { json.string(text) }
    json.endArray()
    try self.count(bytes: json.bytes.count - count)
  }

  func encode<T: Encodable>(_ value: T, at path: @autoclosure () -> [any CodingKey]) throws
    -> EncodedNode
  {
    if idWriters[ObjectIdentifier(T.self)] != nil {
      return EncodedNode(.leaf(try JSONWriter.text { try write(value, to: &$0, at: path()) }))
    }
    func cast<Same>(_ type: Same.Type) -> Same { unsafeBitCast(value, to: type) }
    // Comparing types takes less time than casts, and most values have none of these types.
    let type: Any.Type = T.self
    if type == String.self { return try leaf(Self.text(cast(String.self))) }
    if type == Int.self { return try leaf(JSONText(canonical: String(cast(Int.self)))) }
    if type == Double.self { return try leaf(Self.text(cast(Double.self), path())) }
    if type == Bool.self { return try leaf(JSONText(canonical: "\(cast(Bool.self))")) }
    if type == Float.self {
      let number = cast(Float.self)
      guard number.isFinite else { return try leaf(Self.text(Double(number), path())) }
      return try leaf(JSONText(canonical: "\(number)"))
    }
    if type == Date.self { return try encode(cast(Date.self), path()) }
    if type == URL.self { return try leaf(Self.text(cast(URL.self).absoluteString)) }
    if type == Decimal.self { return try leaf(Self.text(cast(Decimal.self), path())) }
    // The keys of a dictionary are data, so they are written unchanged.
    let keepsNames = keepsNames || isDictionary(type)
    let node = try node(at: path(), keepingNames: keepsNames) { try value.encode(to: $0) }
    node.sortIfUnordered(T.self) { node in JSONWriter.text { node.write(to: &$0) }.text }
    return node
  }

  private func leaf(_ text: JSONText) throws -> EncodedNode {
    EncodedNode(.leaf(try counted(text)))
  }

  private func node(
    at path: [any CodingKey], keepingNames keepsNames: Bool = false,
    _ encode: (any Encoder) throws -> Void
  ) rethrows -> EncodedNode {
    let node = EncodedNode()
    let destination = NodeDestination(
      run: self, node: node, codingPath: path, keepsNames: keepsNames)
    try encode(DestinationEncoder(destination))
    return node
  }

  private func encode(_ date: Date, _ path: [any CodingKey]) throws -> EncodedNode {
    func invalid(_ message: String) -> EncodingError {
      // The error contains the seconds, because a date of NaN seconds has no description.
      .invalid(date.timeIntervalSinceReferenceDate, message, at: path)
    }
    switch options.dates {
    case .plain: return try leaf(Self.text(date.timeIntervalSinceReferenceDate, path))
    case .secondsSince1970: return try leaf(Self.text(date.timeIntervalSince1970, path))
    case .millisecondsSince1970:
      return try leaf(Self.text(date.timeIntervalSince1970 * 1000, path))
    case .iso8601:
      guard let text = ISO8601Text.text(of: date) else {
        throw invalid("ISO 8601 has dates of the years 1 to 9999; export dates as seconds")
      }
      return try leaf(Self.text(text))
    case .formatted(let formatter): return try leaf(Self.text(formatter.string(from: date)))
    case .custom(_, let encode):
      return try node(at: path) { try encode(date, $0) }
    }
  }

  static func text(_ string: String) -> JSONText { JSONWriter.text { $0.string(string) } }

  private static func text(_ decimal: Decimal, _ path: [any CodingKey]) throws -> JSONText {
    guard !decimal.isNaN else {
      throw EncodingError.invalid(decimal, "JSON has no NaN", at: path)
    }
    return JSONText(canonical: "\(decimal)")
  }

  static func text(_ value: Double, _ path: @autoclosure () -> [any CodingKey]) throws -> JSONText {
    guard value.isFinite else {
      throw EncodingError.invalid(value, "JSON has no \(value)", at: path())
    }
    if value == 0, value.sign == .minus { return JSONText(canonical: "-0") }
    // Whole numbers are written without a point, like in other writers.
    if let whole = Int(exactly: value), value.magnitude < 1e15 {
      return JSONText(canonical: String(whole))
    }
    return JSONText(canonical: "\(value)")
  }
}

extension EncodingError {
  /// Returns the error for a value that cannot be encoded.
  static func invalid(
    _ value: Any, _ message: String, at path: [any CodingKey] = []
  ) -> EncodingError {
    .invalidValue(value, Context(codingPath: path, debugDescription: message))
  }
}

/// The texts of the values of a one-byte type. The index of a text is the byte of the value.
private struct ByteTexts {
  let type: ObjectIdentifier
  var texts = [JSONText?](repeating: nil, count: 256)
}

/// A value that is being encoded as JSON.
typealias EncodedNode = EncodedTree<JSONText>

/// A node of one export.
struct NodeDestination: EncodingDestination {
  let run: EncodingRun
  let node: EncodedNode
  let codingPath: [any CodingKey]
  /// Whether the names of members are written as they are.
  var keepsNames = false

  var count: Int { node.count }

  func beginObject() { node.beginObject() }
  func beginArray() { node.beginArray() }

  func encodeNil() throws { node.content = .leaf(try run.counted(.null)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.content = try run.encode(value, at: codingPath).content
  }

  func encodeInteger(_ value: some FixedWidthInteger & Encodable) throws {
    node.content = .leaf(try run.counted(JSONText(canonical: String(value, radix: 10))))
  }

  func member(_ key: any CodingKey) -> NodeDestination {
    let name = keepsNames ? key.stringValue : run.spelled(key.stringValue)
    run.countName(name)
    return NodeDestination(run: run, node: node.member(name), codingPath: codingPath + [key])
  }

  func noteMissing(_ key: any CodingKey) {
    guard run.missingNames != nil, codingPath.isEmpty else { return }
    run.missingNames?.append(run.spelled(key.stringValue))
  }

  func element() -> NodeDestination {
    let path = codingPath + [NamedKey(count)]
    return NodeDestination(run: run, node: node.appendElement(), codingPath: path)
  }
}
