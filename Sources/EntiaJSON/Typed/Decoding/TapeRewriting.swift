/// Makes another value of the parts of one on a tape. Each part still stands where it stood in the
/// input, so that problems are found there.
struct TapeRewriting {
  private let source: [JSONTape.Node]
  var nodes: [JSONTape.Node] = []

  init(_ source: [JSONTape.Node]) { self.source = source }

  /// Begins an object or an array like one of the source, without its parts.
  ///
  /// - Returns: its node, for ``end(_:)``.
  mutating func begin(_ node: Int) -> Int { begin(source[node]) }

  /// Begins an array that stands where another value does.
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
  /// - Parameter areLinkage: whether their values may be IDs of rows that the members name.
  mutating func addMembers(of object: Int, areLinkage: Bool) {
    var name = object + 1
    while name < source[object].next {
      addName(name)
      let value = nodes.count
      addValue(name + 1)
      nodes[value].isLinkage = areLinkage
      name = source[name + 1].next
    }
  }

  /// Adds the ID of a record: the member `id`, whatever the source calls it.
  mutating func addID(name: Int, value: Int, isNumber: Bool = false) {
    var node = JSONTape.Node(
      token: .name, hasEscapes: true, start: source[name].start, end: source[name].end, next: 0,
      hint: 0)
    node.isIDName = true
    add(node)
    addScalar(source[value], isNumber: isNumber)
  }

  /// Adds a member that names a row, or none.
  mutating func addLinkage(name: Int, value: Int, isNumber: Bool = false) {
    addName(name)
    addLinkage(value: value, isNumber: isNumber)
  }

  /// Adds an ID of a row that a member names.
  mutating func addLinkage(value: Int, isNumber: Bool = false) {
    addScalar(source[value], isNumber: isNumber)
    nodes[nodes.count - 1].isLinkage = true
  }

  /// Begins a member that names rows.
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
  /// A number whose digits are the content of a string.
  fileprivate var asNumber: Self {
    JSONTape.Node(
      token: .number, hasEscapes: false, start: start + 1, end: end - 1, next: next, hint: hint)
  }
}

extension DecodingRun {
  /// The value of a member, by the name that the input gives it.
  func value(of name: String, in object: Int) -> Int? {
    members(of: object).first { text($0).isExactly(name) }.map { $0 + 1 }
  }

  /// The names of the members of an object.
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

  /// The content of a string, or the digits of a number.
  func scalarText(_ node: Int) -> String? {
    switch tape.nodes[node].token {
    case .string: text(node)
    case .number: String(decoding: bytes(node), as: UTF8.self)
    default: nil
    }
  }

  /// Whether the content of a string is the canonical text of an integer.
  func isInteger(_ node: Int) -> Bool {
    guard !tape.nodes[node].hasEscapes, let text = scalarText(node) else { return false }
    let digits = text.utf8.first == Byte.minus ? text.utf8.dropFirst() : text.utf8[...]
    return digits.allSatisfy(Byte.isDigit) && (digits.first != Byte.zero || text == "0")
      && !digits.isEmpty
  }

  /// Adds the ID to the record on the tape, which lacks it.
  /// - Parameters:
  ///   - key: the string that is the ID.
  ///   - isNumber: whether the ID is the number that the string spells.
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
