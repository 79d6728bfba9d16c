package import EntiaCoding
import EntiaDatabase

/// JSON texts with the positions of their values. Rows are decoded from them without a tree of
/// values.
package final class FormText {
  /// A value, or the name of a member. The name is directly before the member's value.
  struct Node {
    let token: JSONToken
    let hasEscapes: Bool
    /// The range of the token in the bytes, including quotes.
    let start: Int
    let end: Int
    /// The index of the node after this node and its descendants.
    var next: Int
  }

  // These properties are accessed for every member, so their exclusivity is not checked. Only one
  // thread uses them, and each access is brief.
  @exclusivity(unchecked) private var bytes: [UInt8] = []
  @exclusivity(unchecked) private(set) var nodes: [Node] = []
  @exclusivity(unchecked) private var typeKinds: [(type: ObjectIdentifier, kind: TypeKind)] = []
  /// The nodes of the names that were looked up; `nil` unless they are recorded.
  @exclusivity(unchecked) private(set) var readNames: Set<Int>?

  /// Creates an empty text.
  package init() {}

  /// Creates a text of a value.
  /// - Throws: `JSONError` if the value is nested too deeply.
  convenience init(_ value: JSONValue) throws(JSONError) {
    self.init()
    _ = try value.bytes().withUnsafeBufferPointer { (bytes) throws(JSONError) in
      try append(bytes)
    }
  }

  /// Removes all values.
  package func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
  }

  /// Appends a JSON text.
  /// - Returns: The node of its value.
  /// - Throws: `JSONError` if the text is invalid or nested too deeply.
  package func append(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) -> Int {
    let offset = bytes.count
    bytes.append(contentsOf: text)
    // The array is moved out, so that appending does not check for shared storage.
    var nodes = self.nodes
    self.nodes = []
    defer { self.nodes = nodes }
    let root = nodes.count
    var reader = JSONReader(text, maximumDepth: JSONValue.maximumDepth)
    var open: [Int] = []
    repeat {
      let token = try reader.next()
      switch token {
      case .endArray, .endObject: nodes[open.removeLast()].next = nodes.count
      default:
        if token == .beginArray || token == .beginObject { open.append(nodes.count) }
        nodes.append(
          Node(
            token: token, hasEscapes: reader.hasEscapes, start: offset + reader.tokenStart,
            end: offset + reader.tokenEnd, next: nodes.count + 1))
      }
    } while !open.isEmpty
    // Throws if anything follows the value.
    _ = try reader.next()
    return root
  }

  // Values.

  /// Calls a closure with the bytes of a token, including quotes.
  @inline(__always)
  private func withBytes<Result>(
    of node: Node, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[node.start..<node.end])) }
  }

  /// Calls a closure with the bytes between the quotes of a string or name.
  @inline(__always)
  private func withContent<Result>(
    of node: Node, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    withBytes(of: node) { body(UnsafeBufferPointer(rebasing: $0[1..<$0.count - 1])) }
  }

  /// Whether the content of a string or name, with its JSON escapes resolved, equals `text`.
  func isText(_ index: Int, _ text: StaticString) -> Bool {
    hasName(
      nodes[index], index,
      UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Returns the content of a string or name, with its JSON escapes resolved. A content in a form
  /// of `JSONForm`, such as `$text:`, is not converted.
  func rawString(_ index: Int) -> String {
    let node = nodes[index]
    guard node.hasEscapes else {
      return withContent(of: node) { String(decoding: $0, as: UTF8.self) }
    }
    return JSONReader.reading(Array(bytes[node.start..<node.end])) { reader in
      do {
        _ = try reader.next()
        return reader.string()
      } catch {
        // The token has already been read without an error.
        return ""
      }
    }
  }

  /// Returns the string of a form, or `nil` if the value is not the form of a string.
  func string(_ index: Int) -> String? {
    let node = nodes[index]
    guard node.token == .string || node.token == .name else { return nil }
    let isPlain =
      !node.hasEscapes && withContent(of: node) { $0.first != UInt8(ascii: "$") }
    return isPlain ? rawString(index) : JSONForm.string(rawString(index))
  }

  func integer<Number: FixedWidthInteger>(_ index: Int) -> Number? {
    let node = nodes[index]
    guard node.token == .number else { return nil }
    if let value = withBytes(of: node, JSONDigits.integer) { return Number(exactly: value) }
    // A number with a decimal point is a floating-point number, even if its fraction is zero.
    return withBytes(of: node) { Number(String(decoding: $0, as: UTF8.self)) }
  }

  func double(_ index: Int) -> Double? {
    let node = nodes[index]
    if node.token == .number, let value = withBytes(of: node, JSONDigits.double) { return value }
    return JSONForm.double(scalar(index))
  }

  func base64(_ index: Int) -> String? {
    nodes[index].token == .string ? rawString(index) : nil
  }

  func bool(_ index: Int) -> Bool? {
    switch nodes[index].token {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// Returns a value without its elements or members, so an array or an object is returned empty.
  func scalar(_ index: Int) -> JSONValue {
    let node = nodes[index]
    return switch node.token {
    case .true: .bool(true)
    case .false: .bool(false)
    case .number:
      withBytes(of: node) { JSONNumber(String(decoding: $0, as: UTF8.self)) }
        .map(JSONValue.number) ?? .null
    case .string, .name: .string(rawString(index))
    case .beginArray: .array([])
    case .beginObject: .object([])
    case .null, .endArray, .endObject, .end: .null
    }
  }

  /// The kinds of types whose values are read without `Codable`, and `other` for all other types.
  enum TypeKind {
    case integer
    /// A typed ID of integers or strings, which is stored in memory as its raw value.
    case intID, stringID
    /// A typed ID of strings with their hashes.
    case hashedStringID
    case other
  }

  func kind(of type: Any.Type) -> TypeKind {
    // Comparing with a few types takes less time than a cast to a protocol.
    let identifier = ObjectIdentifier(type)
    for known in typeKinds where known.type == identifier { return known.kind }
    let kind: TypeKind =
      type is any FixedWidthInteger.Type
      ? .integer : (type as? any FormIdentifier.Type)?.formKind ?? .other
    typeKinds.append((identifier, kind))
    return kind
  }

  /// Returns a typed ID of integers or strings, or `nil` for another type or another kind of value.
  @inline(__always)
  func identifier<Value>(_ index: Int, as type: Value.Type) -> Value? {
    switch kind(of: type) {
    case .intID:
      guard let number: Int = integer(index) else { return nil }
      return unsafeBitCast(PlainIDStorage(number), to: type)
    case .stringID: return string(index).map { unsafeBitCast(PlainIDStorage($0), to: type) }
    case .hashedStringID:
      return string(index).map { unsafeBitCast(HashedStringIDStorage($0), to: type) }
    case .integer, .other: return nil
    }
  }

  // Elements and members.

  func elements(_ array: Int) -> [Int]? {
    guard nodes[array].token == .beginArray else { return nil }
    var elements: [Int] = []
    var index = array + 1
    while index < nodes[array].next {
      elements.append(index)
      index = nodes[index].next
    }
    return elements
  }

  func count(_ array: Int) -> Int? {
    guard nodes[array].token == .beginArray else { return nil }
    var count = 0
    var index = array + 1
    while index < nodes[array].next {
      count += 1
      index = nodes[index].next
    }
    return count
  }

  private func forEachName(_ object: Int, _ body: (Int) -> Void) {
    let end = nodes[object].next
    var index = object + 1
    while index < end {
      let next = nodes[index + 1].next
      body(index)
      index = next
    }
  }

  func names(_ object: Int) -> [Int] {
    var names: [Int] = []
    forEachName(object) { names.append($0) }
    return names
  }

  /// Returns the node of a member's value. `name` is already in the form of `JSONForm`.
  /// - Complexity: O(members).
  func member(_ object: Int, _ name: String) -> Int? {
    var name = name
    return name.withUTF8 { member(in: object + 1..<nodes[object].next, $0) }
  }

  /// Returns the node of the value of the first member with a name, among the given nodes.
  private func member(in names: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = names.lowerBound
    while index < names.upperBound {
      if hasName(nodes[index], index, name) {
        noteRead(index)
        return index + 1
      }
      index = nodes[index + 1].next
    }
    return nil
  }

  /// Returns the node of a member's value.
  /// - Parameter first: The node of the name with which the search begins.
  /// - Complexity: O(members); O(1) if the name at `first` is the member's name.
  func member(_ object: Int, _ name: StaticString, from first: Int) -> Int? {
    let start = name.utf8Start
    // A name that begins with `$` is stored in another form.
    if name.utf8CodeUnitCount > 0, start.pointee == UInt8(ascii: "$") {
      return member(object, JSONForm.text(name.description))
    }
    let bytes = UnsafeBufferPointer(start: start, count: name.utf8CodeUnitCount)
    return member(in: first..<nodes[object].next, bytes) ?? member(in: object + 1..<first, bytes)
  }

  /// Begins to record the names that are looked up.
  func recordReads() { readNames = [] }

  /// Records a name as looked up, if such names are recorded.
  @inline(__always)
  func noteRead(_ name: Int) { if readNames != nil { readNames?.insert(name) } }

  @inline(__always)
  private func hasName(_ node: Node, _ index: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if node.hasEscapes { return rawString(index).utf8.elementsEqual(name) }
    guard node.end - node.start == name.count + 2 else { return false }
    return withContent(of: node) { $0.elementsEqual(name) }
  }

  /// Appends the old row of an update.
  /// - Parameters:
  ///   - new: The object of the new row.
  ///   - previous: The object with the old values of the members that differ.
  ///   - added: The array of the names of members that only the new row has.
  /// - Returns: The node of the old row.
  func appendOldRow(of new: Int, previous: Int, added: Int) -> Int {
    let object = nodes.count
    let header = nodes[new]
    nodes.append(header)
    let (former, lacked) = (names(previous), elements(added) ?? [])
    let replaced = former + lacked
    // Usually few members differ, and comparing each of them takes less time than creating a set.
    let isLarge = replaced.count > 8
    let set = Set(isLarge ? replaced.map { ExactString(rawString($0)) } : [])
    forEachName(new) { name in
      let isReplaced =
        isLarge
        ? set.contains(ExactString(rawString(name))) : replaced.contains { isSame($0, name) }
      if !isReplaced { appendCopy(name, to: nodes[name + 1].next) }
    }
    for name in former { appendCopy(name, to: nodes[name + 1].next) }
    nodes[object].next = nodes.count
    return object
  }

  private func appendCopy(_ first: Int, to end: Int) {
    let offset = nodes.count - first
    for index in first..<end {
      var node = nodes[index]
      node.next += offset
      nodes.append(node)
    }
  }

  func isSame(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (nodes[first], nodes[second])
    if one.hasEscapes || other.hasEscapes {
      return ExactString(rawString(first)) == ExactString(rawString(second))
    }
    guard one.end - one.start == other.end - other.start else { return false }
    return bytes[one.start..<one.end] == bytes[other.start..<other.end]
  }

  /// Returns the coding path from a value to one of its descendants.
  func path(from root: Int, to node: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var parent = root
    while parent < node {
      let isObject = nodes[parent].token == .beginObject
      var index = parent + 1
      var place = 0
      while index < nodes[parent].next {
        let value = isObject ? index + 1 : index
        if node < nodes[value].next {
          path.append(isObject ? NamedKey(string(index) ?? rawString(index)) : NamedKey(place))
          parent = value
          break
        }
        index = nodes[value].next
        place += 1
      }
      if index >= nodes[parent].next { return path }
    }
    return path
  }
}

private protocol FormIdentifier {
  static var formKind: FormText.TypeKind { get }
}

extension EntityIdentifier: FormIdentifier {
  // The bit casts in `identifier(_:as:)` are valid, because an ID stores nothing but its storage.
  fileprivate static var formKind: FormText.TypeKind {
    let storage: Any.Type = Entity.EntityIDStorage.self
    if storage == PlainIDStorage<Int>.self { return .intID }
    if storage == PlainIDStorage<String>.self { return .stringID }
    if storage == HashedStringIDStorage.self { return .hashedStringID }
    return .other
  }
}
