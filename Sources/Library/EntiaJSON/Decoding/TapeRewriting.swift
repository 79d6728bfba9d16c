import EntiaCoding

/// Builds another value from the parts of a value on a tape. Each part keeps its position in the
/// input, so that problems are located there.
struct TapeRewriting {
  private let source: [JSONTape.Node]
  var nodes: [JSONTape.Node] = []

  init(_ source: [JSONTape.Node]) { self.source = source }

  /// Begins a copy of an object or array of the source, without its parts.
  ///
  /// - Returns: The index of the copy in `nodes`, for ``end(_:)``.
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
  ///   - areLinkage: Whether the values of the members may be IDs of referenced rows.
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
