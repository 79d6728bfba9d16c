/// Writes JSON text, the same bytes for the same calls, without recursion.
///
/// ```swift
/// var writer = JSONWriter(layout: .compact)
/// writer.beginObject()
/// writer.name("posts")
/// writer.number(JSONNumber(3))
/// writer.endObject()
/// String(decoding: writer.bytes, as: UTF8.self)   // {"posts":3}
/// ```
///
/// The writer puts commas and colons; that every object and array is closed, and every member of an
/// object named, is its caller's part.
public struct JSONWriter {
  /// How a text is laid out.
  public enum Layout: Hashable, Sendable {
    /// No whitespace at all.
    case compact
    /// A line for each value, down to this many levels of nesting; deeper ones stay on their line.
    ///
    /// The bound keeps the whitespace of a deeply nested text in proportion to the text.
    case lines(depth: Int)
  }

  /// What has been written so far.
  public private(set) var bytes: [UInt8] = []

  private let lineDepth: Int
  private var depth = 0
  /// Says whether the innermost open array or object is still empty.
  private var isFirst = true
  private var isAfterName = false

  /// Makes a writer that has written nothing.
  public init(layout: Layout) {
    switch layout {
    case .compact: lineDepth = 0
    case .lines(let depth): lineDepth = depth
    }
  }

  /// Opens an object.
  public mutating func beginObject() { open(Byte.openBrace) }

  /// Closes the innermost object.
  public mutating func endObject() { close(Byte.closeBrace) }

  /// Opens an array.
  public mutating func beginArray() { open(Byte.openBracket) }

  /// Closes the innermost array.
  public mutating func endArray() { close(Byte.closeBracket) }

  /// Writes the name of a member, whose value must follow.
  public mutating func name(_ name: String) {
    beforeValue()
    Self.append(string: name, to: &bytes)
    afterName()
  }

  /// Writes a string.
  public mutating func string(_ string: String) {
    beforeValue()
    Self.append(string: string, to: &bytes)
  }

  /// Writes a number as it is written.
  public mutating func number(_ number: JSONNumber) {
    beforeValue()
    bytes.append(contentsOf: number.text.utf8)
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int) { number(JSONNumber(value)) }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    beforeValue()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes `null`.
  public mutating func null() {
    beforeValue()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a whole value, on its line.
  public mutating func text(_ text: JSONText) {
    beforeValue()
    bytes.append(contentsOf: text.text.utf8)
  }

  /// Writes a whole value in its canonical form, on its line.
  mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
    beforeValue()
    bytes.append(contentsOf: text)
  }

  /// Writes a whole value that the closure appends, on its line.
  @inline(__always)
  mutating func value(_ append: (inout [UInt8]) -> Void) {
    beforeValue()
    append(&bytes)
  }

  /// Gives what has been written since the last time, and forgets it.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Ends the last line; a text that is a file ends with this.
  public mutating func endLine() { bytes.append(Byte.newline) }

  /// Writes a name that is JSON text already, quotes and escapes included.
  mutating func name(json: String) {
    beforeValue()
    bytes.append(contentsOf: json.utf8)
    afterName()
  }

  private mutating func afterName() {
    bytes.append(Byte.colon)
    if depth <= lineDepth { bytes.append(Byte.space) }
    isAfterName = true
  }

  private mutating func beforeValue() {
    if isAfterName {
      isAfterName = false
      return
    }
    if !isFirst { bytes.append(Byte.comma) }
    if depth > 0 { breakLine(at: depth) }
    isFirst = false
  }

  private mutating func breakLine(at level: Int) {
    guard depth <= lineDepth else { return }
    bytes.append(Byte.newline)
    for _ in 0..<level {
      bytes.append(Byte.space)
      bytes.append(Byte.space)
    }
  }

  private mutating func open(_ bracket: UInt8) {
    beforeValue()
    bytes.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func close(_ bracket: UInt8) {
    if !isFirst { breakLine(at: depth - 1) }
    depth -= 1
    bytes.append(bracket)
    isFirst = false
  }
}
