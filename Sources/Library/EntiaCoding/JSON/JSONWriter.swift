/// A writer of JSON text that is deterministic and does not use recursion.
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
/// The writer inserts commas and colons. The caller must close every object and array, and write a
/// name before each member's value.
package struct JSONWriter {
  /// The layout of a text.
  package enum Layout: Hashable, Sendable {
    /// No whitespace.
    case compact
    /// One line for each value down to this nesting depth; deeper values stay on the line of their
    /// parent.
    ///
    /// The bound keeps the whitespace of a deeply nested text proportional to its length.
    case lines(depth: Int)
  }

  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []

  private let lineDepth: Int
  private var depth = 0
  /// Whether the innermost open array or object is still empty.
  private var isFirst = true
  private var isAfterName = false

  /// Creates a writer without output.
  package init(layout: Layout) {
    switch layout {
    case .compact: lineDepth = 0
    case .lines(let depth): lineDepth = depth
    }
  }

  /// Opens an object.
  package mutating func beginObject() { open(Byte.openBrace) }

  /// Closes the innermost object.
  package mutating func endObject() { close(Byte.closeBrace) }

  /// Opens an array.
  package mutating func beginArray() { open(Byte.openBracket) }

  /// Closes the innermost array.
  package mutating func endArray() { close(Byte.closeBracket) }

  /// Writes the name of a member. Its value must be written next.
  package mutating func name(_ name: String) {
    beforeValue()
    Self.append(string: name, to: &bytes)
    afterName()
  }

  /// Writes the name of a member. Its value must be written next.
  package mutating func name(_ name: StaticString) {
    beforeValue()
    bytes.append(Byte.quote)
    name.withUTF8Buffer { Self.append(content: $0, to: &bytes) }
    bytes.append(Byte.quote)
    afterName()
  }

  /// Writes a string.
  package mutating func string(_ string: String) {
    beforeValue()
    Self.append(string: string, to: &bytes)
  }

  /// Writes a number with its own text.
  package mutating func number(_ number: JSONNumber) {
    beforeValue()
    bytes.append(contentsOf: number.text.utf8)
  }

  /// Writes an integer.
  package mutating func integer(_ value: Int) {
    beforeValue()
    Self.append(value, to: &bytes)
  }

  /// Writes `true` or `false`.
  package mutating func bool(_ value: Bool) {
    beforeValue()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes `null`.
  package mutating func null() {
    beforeValue()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a whole value without line breaks.
  package mutating func text(_ text: JSONText) {
    beforeValue()
    bytes.append(contentsOf: text.text.utf8)
  }

  /// Writes a whole value, given in canonical form, without line breaks.
  package mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
    beforeValue()
    bytes.append(contentsOf: text)
  }

  /// Writes a whole value that the closure appends, without line breaks.
  @inline(__always)
  mutating func value(_ append: (inout [UInt8]) -> Void) {
    beforeValue()
    append(&bytes)
  }

  /// Passes the bytes written since the previous flush to the closure, and removes the bytes unless
  /// the closure throws.
  package mutating func flush<Failure: Error>(
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try pieces(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Ends the last line. A file ends with a newline.
  package mutating func endLine() { bytes.append(Byte.newline) }

  /// Writes a name that is already JSON text, including quotes and escapes.
  package mutating func name(json: UnsafeBufferPointer<UInt8>) {
    beforeValue()
    bytes.append(contentsOf: json)
    afterName()
  }

  private mutating func afterName() {
    bytes.append(Byte.colon)
    if depth <= lineDepth { bytes.append(Byte.space) }
    isAfterName = true
  }

  @usableFromInline
  mutating func beforeValue() {
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

extension JSONWriter {
  /// Writes an object with the members that a closure adds.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// Writes a member that is an object.
  package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }

  /// Writes an array with a value for each element.
  @inlinable
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
  ) {
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  /// Writes a member that is an array with a value for each element.
  @inlinable
  package mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>,
    _ write: (Element, inout JSONWriter) -> Void
  ) {
    self.name(name)
    array(elements, write)
  }

  /// Writes a member with a string, or with `null`.
  package mutating func member(_ name: String, _ text: String?) {
    self.name(name)
    if let text { string(text) } else { null() }
  }

  /// Writes a member with a Boolean value.
  package mutating func member(_ name: String, _ value: Bool) {
    self.name(name)
    bool(value)
  }

  /// Writes members with strings.
  package mutating func members(_ texts: KeyValuePairs<String, String>) {
    for (name, text) in texts { member(name, text) }
  }

  /// Writes members with numbers.
  @inlinable
  package mutating func members(_ counts: some Sequence<(String, Int)>) {
    for (name, count) in counts {
      self.name(name)
      integer(count)
    }
  }

  /// Writes a value without line breaks, regardless of the layout.
  package mutating func line(_ write: (inout JSONWriter) -> Void) {
    var line = JSONWriter(layout: .compact)
    write(&line)
    value { $0 += line.bytes }
  }

  /// Returns the text that a closure writes, without line breaks.
  package static func text(
    _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> JSONText {
    var writer = JSONWriter(layout: .compact)
    try write(&writer)
    return JSONText(canonical: String(decoding: writer.bytes, as: UTF8.self))
  }
}

extension JSONWriter {
  /// Writes a tree, with members in their order.
  ///
  /// - Complexity: O(size of the tree).
  package mutating func value(_ value: JSONValue) {
    // The pending steps, the next one last. A stack instead of recursion supports any depth.
    var steps: [Step] = [.value(value)]
    while let step = steps.popLast() {
      switch step {
      case .value(.null): null()
      case .value(.bool(let value)): bool(value)
      case .value(.number(let value)): number(value)
      case .value(.string(let value)): string(value)
      case .value(.array(let elements)):
        beginArray()
        steps.append(.endArray)
        for element in elements.reversed() { steps.append(.value(element)) }
      case .value(.object(let members)):
        beginObject()
        steps.append(.endObject)
        for member in members.reversed() {
          steps.append(.value(member.value))
          steps.append(.name(member.name))
        }
      case .name(let name): self.name(name)
      case .endArray: endArray()
      case .endObject: endObject()
      }
    }
  }

  private enum Step {
    case value(JSONValue)
    case name(String)
    case endArray
    case endObject
  }
}

extension JSONValue {
  /// Returns the value as text.
  ///
  /// - Complexity: O(size of the value).
  package func bytes(layout: JSONWriter.Layout = .compact) -> [UInt8] {
    var writer = JSONWriter(layout: layout)
    writer.value(self)
    return writer.bytes
  }
}

extension JSONWriter {
  @usableFromInline static let hexDigits = Array("0123456789abcdef".utf8)

  private static func append(_ value: Int, to bytes: inout [UInt8]) {
    if value < 0 { bytes.append(Byte.minus) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(Byte.zero + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest > 0
    // `bytes[start...].reverse()` would copy the digits.
    var (first, last) = (start, bytes.count - 1)
    while first < last {
      bytes.swapAt(first, last)
      (first, last) = (first + 1, last - 1)
    }
  }

  /// Appends a string in canonical form: quoted, with only the required escapes.
  @inlinable
  package static func append<Sink: ByteSink & ~Copyable>(string: String, to bytes: inout Sink) {
    bytes.append(Byte.quote)
    var string = string
    string.withUTF8 { append(content: $0, to: &bytes) }
    bytes.append(Byte.quote)
  }

  /// Appends the content of a string, with only the required escapes.
  @inlinable
  package static func append<Sink: ByteSink & ~Copyable>(
    content: UnsafeBufferPointer<UInt8>, to bytes: inout Sink
  ) {
    var start = 0
    var index = 0
    while index < content.count {
      if index &+ 8 <= content.count, needsNoEscape(content, at: index) {
        index &+= 8
        continue
      }
      if needsEscape(content[index]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start..<index]))
        start = index + 1
        append(escaped: content[index], to: &bytes)
      }
      index &+= 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start...]))
  }

  /// Returns true only if none of the eight bytes at an index needs an escape. A result of false
  /// implies nothing.
  @inlinable
  @inline(__always)
  static func needsNoEscape(_ content: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let word = UnsafeRawBufferPointer(content).loadUnaligned(
      fromByteOffset: index, as: UInt64.self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(Byte.quote))
    let slashes = word ^ (ones &* UInt64(Byte.backslash))
    // Sets the high bit of each byte that needs an escape, as `JSONReader.skipPlainASCII()` does.
    let marks =
      ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes)
      | ((slashes &- ones) & ~slashes)
    return marks & 0x8080_8080_8080_8080 == 0
  }

  @inlinable
  @inline(__always)
  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == Byte.quote || byte == Byte.backslash
  }

  @usableFromInline
  static func append<Sink: ByteSink & ~Copyable>(
    escaped byte: UInt8, to bytes: inout Sink
  ) {
    bytes.append(Byte.backslash)
    switch byte {
    case Byte.quote, Byte.backslash: bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      for byte in "u00".utf8 { bytes.append(byte) }
      bytes.append(hexDigits[Int(byte >> 4)])
      bytes.append(hexDigits[Int(byte & 0xF)])
    }
  }
}
