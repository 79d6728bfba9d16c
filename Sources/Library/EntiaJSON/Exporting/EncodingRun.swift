import EntiaCoding
import EntiaDatabase
import Foundation

/// The state shared by the encoders of one export: the options, and the nested entities.
final class EncodingRun {
  let options: TypedExportOptions
  /// The writers of the IDs of entities that have a table, by the type of the ID.
  var idWriters: [ObjectIdentifier: AnyObject] = [:]
  /// The writers of the entities that reference an entity, by its type, as ``InverseWriter``.
  var inverses: [ObjectIdentifier: [AnyObject]] = [:]
  /// The number of open entities.
  private(set) var level = 0
  /// The number of references that the current branch has followed.
  var references = 0
  let depth: Int
  /// The number of bytes left for the output.
  private var bytesLeft: Int
  private let maximumBytes: Int
  private var fanOut = DenormalizeProblem.FanOut(rows: 0)
  private var spellings: [String: String] = [:]

  init(_ options: TypedExportOptions, depth: Int, maximumBytes: Int = .max) {
    bytesLeft = maximumBytes
    self.maximumBytes = maximumBytes
    self.options = options
    self.depth = min(max(depth, 0), TypedExportOptions.maximumDepth)
  }

  /// Counts the bytes of a name, its quotes and its separator. If they exceed the limit, encoding
  /// the value after it throws.
  func countName(_ name: String) { bytesLeft -= name.utf8.count + 3 }

  /// Counts the bytes of a text, including its separator.
  func counted(_ text: JSONText) throws -> JSONText {
    bytesLeft -= text.text.utf8.count + 1
    if bytesLeft < 0 {
      throw DenormalizeProblem.tooLarge(maximumBytes: maximumBytes, fanOut: fanOut)
    }
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

  func spelled(_ name: String) -> String {
    if case .same = options.keys { return name }
    if let known = spellings[name] { return known }
    let spelled = options.keys.spelled(name)
    spellings[name] = spelled
    return spelled
  }

  func encode<T: Encodable>(_ value: T, at path: @autoclosure () -> [any CodingKey]) throws
    -> EncodedNode
  {
    if let writer = idWriters[ObjectIdentifier(T.self)] {
      // A writer is stored under the type that it writes.
      return try unsafeDowncast(writer, to: IDWriter<T>.self).write(value, self)
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
    let node = try node(at: path()) { try value.encode(to: $0) }
    node.sortIfUnordered(T.self) { node in JSONWriter.text { node.write(to: &$0) }.text }
    return node
  }

  private func leaf(_ text: JSONText) throws -> EncodedNode {
    EncodedNode(.leaf(try counted(text)))
  }

  private func node(
    at path: [any CodingKey], _ encode: (any Encoder) throws -> Void
  ) rethrows -> EncodedNode {
    let node = EncodedNode()
    try encode(DestinationEncoder(NodeDestination(run: self, node: node, codingPath: path)))
    return node
  }

  private func encode(_ date: Date, _ path: [any CodingKey]) throws -> EncodedNode {
    func invalid(_ message: String) -> EncodingError {
      // A date without a number has no description.
      .invalidValue(
        date.timeIntervalSinceReferenceDate,
        EncodingError.Context(codingPath: path, debugDescription: message))
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

  static func text(_ string: String) -> JSONText { JSONText(.string(string)) }

  private static func text(_ decimal: Decimal, _ path: [any CodingKey]) throws -> JSONText {
    guard !decimal.isNaN else {
      throw EncodingError.invalidValue(
        decimal, EncodingError.Context(codingPath: path, debugDescription: "JSON has no NaN"))
    }
    return JSONText(canonical: "\(decimal)")
  }

  static func text(_ value: Double, _ path: [any CodingKey]) throws -> JSONText {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: path, debugDescription: "JSON has no \(value)"))
    }
    if value == 0, value.sign == .minus { return JSONText(canonical: "-0") }
    // Whole numbers are written without a point, like in other writers.
    if let whole = Int(exactly: value), value.magnitude < 1e15 {
      return JSONText(canonical: String(whole))
    }
    return JSONText(canonical: "\(value)")
  }
}

/// A value that is being encoded as JSON.
typealias EncodedNode = EncodedTree<JSONText>

extension EncodedTree<JSONText> {
  /// Returns the node as a single text. The text takes a fraction of the memory of its parts.
  func asText() -> EncodedNode {
    EncodedNode(.leaf(JSONWriter.text { write(to: &$0) }))
  }

  func write(to writer: inout JSONWriter) {
    switch content {
    case .nothing: writer.null()
    case .leaf(let text): writer.text(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.name(member.name)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

/// A node of one export.
struct NodeDestination: EncodingDestination {
  let run: EncodingRun
  let node: EncodedNode
  let codingPath: [any CodingKey]

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
    let name = run.spelled(key.stringValue)
    run.countName(name)
    return NodeDestination(run: run, node: node.member(name), codingPath: codingPath + [key])
  }

  func element() -> NodeDestination {
    let path = codingPath + [NamedKey(count)]
    return NodeDestination(run: run, node: node.appendElement(), codingPath: path)
  }
}
