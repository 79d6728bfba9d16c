/// Builds another value from the parts of a value on a tape. Each part keeps its position in the
/// input, so that problems are located there.
struct TapeRewriting {
  private let source: [JSONTape.Node]
  var nodes: [JSONTape.Node] = []

  init(_ source: [JSONTape.Node]) { self.source = source }

  /// Begins a copy of an object or array of the source, without its parts.
  ///
  /// - Returns: Its node, for ``end(_:)``.
  mutating func begin(_ node: Int) -> Int { begin(source[node]) }

  /// Begins an array with the position of another value.
  mutating func beginArray(for node: Int) -> Int {
    begin(
      JSONTape.Node(
        token: .beginArray, hasEscapes: false, start: source[node].start, end: source[node].end,
        next: 0, hint: 0))
  }

  private mutating func begin(_ node: JSONTape.Node) -> Int {
    add(node)
    return nodes.count - 1
  }

  mutating func end(_ node: Int) { nodes[node].next = nodes.count }

  mutating func addName(_ name: Int) { add(source[name]) }

  /// Adds a value with its parts.
  mutating func addValue(_ value: Int) {
    let shift = nodes.count - value
    for index in value..<source[value].next {
      var node = source[index]
      node.next += shift
      node.hint = index + shift + 1
      nodes.append(node)
    }
  }

  mutating func addMember(_ name: Int) {
    addName(name)
    addValue(name + 1)
  }

  /// Adds the members of an object.
  /// - Parameters:
  ///   - skipped: The name of a member that is left out; nil to add all.
  ///   - areLinkage: Whether their values may be IDs of referenced rows.
  mutating func addMembers(of object: Int, besides skipped: Int? = nil, areLinkage: Bool) {
    var name = object + 1
    while name < source[object].next {
      if name == skipped {
        name = source[name + 1].next
        continue
      }
      addName(name)
      let value = nodes.count
      addValue(name + 1)
      nodes[value].isLinkage = areLinkage
      name = source[name + 1].next
    }
  }

  /// Adds the ID of a record as the member `id`, regardless of its name in the source.
  mutating func addID(name: Int, value: Int, isNumber: Bool = false) {
    var node = JSONTape.Node(
      token: .name, hasEscapes: true, start: source[name].start, end: source[name].end, next: 0,
      hint: 0)
    node.isIDName = true
    add(node)
    addScalar(source[value], isNumber: isNumber)
  }

  /// Adds a member that refers to one row, or to none.
  mutating func addLinkage(name: Int, value: Int, isNumber: Bool = false) {
    addName(name)
    addLinkage(value: value, isNumber: isNumber)
  }

  /// Adds the ID of a referenced row.
  mutating func addLinkage(value: Int, isNumber: Bool = false) {
    addScalar(source[value], isNumber: isNumber)
    nodes[nodes.count - 1].isLinkage = true
  }

  /// Begins a member that refers to a list of rows.
  mutating func beginLinkage(name: Int, list: Int) -> Int {
    addName(name)
    let list = begin(list)
    nodes[list].isLinkage = true
    return list
  }

  private mutating func addScalar(_ node: JSONTape.Node, isNumber: Bool) {
    add(isNumber ? node.asNumber : node)
  }

  private mutating func add(_ node: JSONTape.Node) {
    var node = node
    node.next = nodes.count + 1
    node.hint = nodes.count + 1
    nodes.append(node)
  }
}

extension JSONTape.Node {
  /// A number whose digits are the content of the string.
  fileprivate var asNumber: Self {
    JSONTape.Node(
      token: .number, hasEscapes: false, start: start + 1, end: end - 1, next: next, hint: hint)
  }
}

extension DecodingRun {
  /// Returns the value of a member by its name in the input.
  func value(of name: String, in object: Int) -> Int? {
    members(of: object).first { text($0).isExactly(name) }.map { $0 + 1 }
  }

  /// Returns the names of an object's members.
  func members(of object: Int) -> [Int] {
    guard tape.nodes[object].token == .beginObject else { return [] }
    var names: [Int] = []
    var name = object + 1
    while name < tape.nodes[object].next {
      names.append(name)
      name = tape.nodes[name + 1].next
    }
    return names
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

  /// Adds the ID to the record on the tape, which lacks it.
  /// - Parameters:
  ///   - key: The string with the ID.
  ///   - isNumber: Whether the ID is the number in the string.
  func insertID(_ key: JSONTape.Node, isNumber: Bool) {
    let source = tape.nodes + [key]
    var record = TapeRewriting(source)
    let object = record.begin(0)
    tape.nodes.append(key)
    let isNumber = isNumber && isInteger(source.count - 1)
    record.addID(name: source.count - 1, value: source.count - 1, isNumber: isNumber)
    record.addMembers(of: 0, areLinkage: false)
    record.end(object)
    tape.nodes = record.nodes
  }
}
