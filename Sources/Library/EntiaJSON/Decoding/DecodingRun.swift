import EntiaCoding
import Foundation

/// The state shared by the decoders of one import: the current value, and the readers of IDs.
@usableFromInline
final class DecodingRun {
  let options: TypedImportOptions
  // Exclusivity is unchecked, because every member accesses these properties. An import runs on
  // one thread, and its accesses do not overlap.
  @exclusivity(unchecked) var tape = JSONTape()
  /// A reader of the text that the tape refers to.
  @exclusivity(unchecked) var reader: JSONReader { didSet { base = reader.base } }
  /// The address of the text's first byte, stored so that `reader` is not copied for each value.
  @exclusivity(unchecked) private(set) var base: UnsafePointer<UInt8>
  /// The readers of `EntityID` and `[EntityID]`, for each entity type with a table. A linear search
  /// is faster than hashing, because the list is short.
  private(set) var readers: [NodeReader] = []
  /// The types of the readers.
  private(set) var readTypes: [ObjectIdentifier] = []
  /// The current child, if it takes its key from its parent.
  @exclusivity(unchecked) var openChild: OpenChild?
  /// The defaults of the current record for missing members.
  @exclusivity(unchecked) var openDefaults: OpenDefaults?
  /// The number of members that were looked up and not found.
  @exclusivity(unchecked) var missingMembers = 0
  /// The members with the short name of a reference, such as `author` for `authorID`. They were not
  /// read as the reference, because they contain no objects.
  @exclusivity(unchecked) @usableFromInline var plainMembers: [PlainMember] = []
  /// Whether members in the input have exactly the names of the properties.
  let keepsNames: Bool
  /// The node of the dictionary that is being decoded, or -1. Its keys are data and are matched
  /// exactly.
  @exclusivity(unchecked) var openDictionary = -1
  /// The entities of the records and IDs that have a type name in the input, such as a
  /// `__typename`. The keys are the nodes of these records and IDs.
  @exclusivity(unchecked) @usableFromInline var namedEntities: [Int: NamedEntity] = [:]
  /// The entities of the type names that were looked up; nil for a name without an entity.
  var entitiesByName: [ExactString: NamedEntity?] = [:]
  private let separator: UInt8?
  private var spellings: [String: [UInt8]] = [:]
  private var references: [ObjectIdentifier: Bool] = [:]

  @usableFromInline
  init(_ options: TypedImportOptions) {
    self.options = options
    if case .same = options.keys { keepsNames = true } else { keepsNames = false }
    separator = options.keys.separator
    reader = JSONReader(UnsafeBufferPointer(start: nil, count: 0))
    base = reader.base
  }

  /// Adds a reader of the values of a type.
  @inlinable
  func add<Value>(_ type: Value.Type, _ read: @escaping (Int, DecodingRun) throws -> Value) {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    add(ObjectIdentifier(type), UnsafeMutableRawPointer(memory)) { node, run in
      memory.initialize(to: try read(node, run))
    }
  }

  @usableFromInline
  func add(
    _ type: ObjectIdentifier, _ value: UnsafeMutableRawPointer,
    _ read: @escaping (Int, DecodingRun) throws -> Void
  ) {
    readers.append(NodeReader(type, value, read))
    readTypes.append(type)
  }

  /// Removes all nodes from the tape, because the text of the value is released. If a type has
  /// stored a decoder, using the decoder after this call throws an error.
  func end() { tape.nodes.removeAll() }

  // MARK: Nodes

  /// Returns whether the value at a node is an object.
  @usableFromInline
  func isObject(_ node: Int) -> Bool { tape.nodes[node].token == .beginObject }

  /// Returns the first element of an array, and the node after the last.
  @usableFromInline
  func elements(of array: Int) throws -> Range<Int> {
    guard tape.nodes[array].token == .beginArray else {
      throw mismatch([Any].self, array, "expected an array")
    }
    return array + 1..<tape.nodes[array].next
  }

  /// Returns the node after a value.
  @usableFromInline
  func node(after node: Int) -> Int { tape.nodes[node].next }

  func bytes(_ node: Int) -> UnsafeBufferPointer<UInt8> {
    bytes(tape.nodes[node].start, tape.nodes[node].end)
  }

  @inline(__always)
  private func bytes(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + start, count: end &- start)
  }

  func text(_ index: Int) -> String {
    let node = tape.nodes[index]
    if node.hasEscapes || node.isIDName { return reader.text(of: node) }
    return String(decoding: bytes(node.start + 1, node.end - 1), as: UTF8.self)
  }

  // MARK: Members

  /// Returns the value of the member after the one that was found last, and marks the value as
  /// decoded. Returns -1 if that member does not have the name.
  func nextMember(_ object: Int, _ name: String) -> Int {
    guard keepsNames || object == openDictionary else { return -1 }
    let next = tape.nodes[object].hint
    guard next < tape.nodes[object].next, !tape.nodes[next].hasEscapes,
      name.hasExactly(bytes(tape.nodes[next].start + 1, tape.nodes[next].end - 1))
    else { return -1 }
    tape.decodeMember(next, of: object)
    return next + 1
  }

  /// Returns the result of `find`, and marks the found value as decoded.
  func member(
    _ object: Int, _ name: String, isReference: () -> Bool
  ) -> (value: Int?, plain: Int?) {
    let found = find(object, name, isReference: isReference)
    if let value = found.value {
      tape.nodes[value].isDecoded = true
    } else {
      missingMembers += 1
    }
    return found
  }

  /// Returns the value of a member without marking it as decoded; nil if there is none.
  ///
  /// A key that ends in `ID` or `IDs` also matches a member without this suffix, if its value is an
  /// object or an array of objects: a property `authorID` usually corresponds to a nested `author`.
  /// If the value of a member without the suffix is plain, the member belongs to another property.
  /// The exception is a value that the format of the input defines as a reference.
  ///
  /// - Parameter isReference: Returns whether the member is a reference, whose name in the input
  ///   may lack the suffix `ID` or `IDs`.
  /// - Returns: `value` is the value of the member, or nil. `plain` is the value of a member
  ///   without the suffix, if `holdsRecords` rejects this value; otherwise nil.
  func find(
    _ object: Int, _ name: String, isReference: () -> Bool
  ) -> (value: Int?, plain: Int?) {
    if let found = member(object, spelled: name) { return (found, nil) }
    guard
      name.hasSuffix("ID") || name.hasSuffix("Id") || name.hasSuffix("IDs")
        || name.hasSuffix("Ids"), isReference()
    else { return (nil, nil) }
    let isMany = name.hasSuffix("s")
    let stem = String(name.dropLast(isMany ? 3 : 2))
    if stem.isEmpty { return (nil, nil) }
    var plain: Int?
    for spelling in isMany ? [stem + "s", stem] : [stem] {
      guard let found = member(object, spelled: spelling) else { continue }
      if holdsRecords(found, isMany: isMany) { return (found, plain) }
      plain = found
    }
    return (nil, plain)
  }

  private func member(_ object: Int, spelled name: String) -> Int? {
    let reader = reader
    let keepsNames = keepsNames || object == openDictionary
    if !keepsNames, let separator {
      let wanted = spelling(name)
      return tape.member(of: object) { node in
        node.hasEscapes
          ? Self.fold(Array(reader.text(of: node).utf8), separator) == wanted
          : Self.isFolded(reader.bytes(node.start + 1..<node.end - 1), wanted, separator)
      }
    }
    if keepsNames {
      return tape.member(of: object) { node in
        node.hasEscapes
          ? reader.text(of: node).isExactly(name)
          : name.hasExactly(reader.bytes(node.start + 1..<node.end - 1))
      }
    }
    let wanted = spelling(name)
    return tape.member(of: object) { node in
      if node.isIDName { return name == "id" }
      return node.hasEscapes
        ? Array(reader.text(of: node).utf8) == wanted
        : reader.bytes(node.start + 1..<node.end - 1).elementsEqual(wanted)
    }
  }

  /// Returns the bytes of a name for comparison with names in JSON. They are folded if the import
  /// ignores separators and case, so that `authorID` and `author_id` are equal.
  private func spelling(_ name: String) -> [UInt8] {
    if let known = spellings[name] { return known }
    let spelling =
      separator.map { Self.fold(Array(name.utf8), $0) } ?? Array(options.keys.spelled(name).utf8)
    spellings[name] = spelling
    return spelling
  }

  /// Returns whether the name of a member in the input is the spelling of `name`.
  func isSpelled(_ member: String, _ name: String) -> Bool {
    if keepsNames { return member.isExactly(name) }
    if let separator { return Self.fold(Array(member.utf8), separator) == spelling(name) }
    return Array(member.utf8) == spelling(name)
  }

  /// Returns a name without separators and in lowercase.
  static func fold(_ bytes: [UInt8], _ separator: UInt8 = UInt8(ascii: "_")) -> [UInt8] {
    bytes.filter { $0 != separator }.map(lower)
  }

  @inline(__always)
  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func isFolded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ wanted: [UInt8], _ separator: UInt8
  ) -> Bool {
    var place = 0
    for byte in bytes where byte != separator {
      guard place < wanted.count, wanted[place] == lower(byte) else { return false }
      place += 1
    }
    return place == wanted.count
  }

  /// Returns whether a type is an ID of an entity, or a collection of IDs.
  func isReference(_ type: Any.Type) -> Bool {
    if let known = references[ObjectIdentifier(type)] { return known }
    let isReference = type is any ReferenceType.Type
    references[ObjectIdentifier(type)] = isReference
    return isReference
  }

  // MARK: Places

  /// Returns the keys from the record to a node.
  func codingPath(_ node: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var parent = 0
    while parent < node {
      var index = parent + 1
      var place = 0
      let isObject = tape.nodes[parent].token == .beginObject
      while index < tape.nodes[parent].next {
        let value = isObject ? index + 1 : index
        if node < tape.nodes[value].next {
          path.append(isObject ? NamedKey(text(index)) : NamedKey(place))
          parent = value
          break
        }
        index = tape.nodes[value].next
        place += 1
      }
      if index >= tape.nodes[parent].next, parent < node { return path }
    }
    return path
  }

  /// Returns the node at a coding path, or the last existing node on it.
  func node(_ path: [any CodingKey]) -> Int {
    var node = 0
    for key in path {
      switch tape.nodes[node].token {
      case .beginObject:
        // `key` is a name in JSON if a decoder created the path. `key` is the name of a coding key
        // if the code of an entity created the path.
        let next =
          tape.member(of: node) { reader.text(of: $0).isExactly(key.stringValue) }
          ?? find(node, key.stringValue, isReference: { true }).value
        guard let next else { return node }
        node = next
      case .beginArray:
        var index = node + 1
        for _ in 0..<(key.intValue ?? 0) where index < tape.nodes[node].next {
          index = tape.nodes[index].next
        }
        guard key.intValue != nil, index < tape.nodes[node].next else { return node }
        node = index
      default: return node
      }
    }
    return node
  }

  /// Returns the error for a value that is null or is not of the expected type.
  ///
  /// - Parameter expected: The beginning of the message; nil to name the type.
  @usableFromInline
  func mismatch(_ type: Any.Type, _ node: Int, _ expected: String? = nil) -> DecodingError {
    guard tape.nodes.contains(node) else { return corrupted(node, Self.ended) }
    let found = tape.nodes[node].token
    let expected = expected ?? "expected \(Self.kindDescription(type))"
    let context = DecodingError.Context(
      codingPath: codingPath(node),
      debugDescription: "\(expected), found \(found.kindDescription)")
    return found == .null && type != [Any].self
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The message of the error that is thrown if a type uses a stored decoder after decoding has
  /// ended.
  static let ended = "the decoder is used after the value was read"

  func corrupted(_ node: Int, _ message: String) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: codingPath(node), debugDescription: message))
  }

  private static func kindDescription(_ type: Any.Type) -> String {
    let name = String(describing: type)
    return ["A", "E", "I", "O", "U"].contains(name.prefix(1)) ? "an \(name)" : "a \(name)"
  }
}

extension DecodingRun {
  /// Returns the value of a member by its name in the input.
  func value(of name: String, in object: Int) -> Int? {
    members(of: object).first { text($0).isExactly(name) }.map { $0 + 1 }
  }

  /// Returns the nodes of the names of an object's members.
  func members(of object: Int) -> [Int] {
    tape.nodes[object].token == .beginObject ? tape.parts(of: object) : []
  }

  /// Returns the content of a string, or the digits of a number.
  func scalarText(_ node: Int) -> String? {
    switch tape.nodes[node].token {
    case .string: text(node)
    case .number: String(decoding: bytes(node), as: UTF8.self)
    default: nil
    }
  }

  /// Returns whether the content of a string is the canonical text of an integer.
  func isInteger(_ node: Int) -> Bool {
    guard !tape.nodes[node].hasEscapes, let text = scalarText(node) else { return false }
    let digits = text.utf8.first == Byte.minus ? text.utf8.dropFirst() : text.utf8[...]
    return digits.allSatisfy(Byte.isDigit) && (digits.first != Byte.zero || text == "0")
      && !digits.isEmpty
  }

  /// Adds the missing ID to the record on the tape.
  /// - Parameters:
  ///   - key: The string with the ID.
  ///   - isNumber: Whether the ID is added as a number, if the string contains an integer.
  func insertID(_ key: JSONTape.Node, isNumber: Bool) {
    let source = Array(tape.nodes) + [key]
    var record = TapeRewriting(source)
    let object = record.begin(0)
    tape.nodes.append(key)
    let isNumber = isNumber && isInteger(source.count - 1)
    record.addID(name: source.count - 1, value: source.count - 1, isNumber: isNumber)
    record.addMembers(of: 0, areLinkage: false)
    record.end(object)
    tape.nodes = JSONTapeNodes(record.nodes)
  }
}
