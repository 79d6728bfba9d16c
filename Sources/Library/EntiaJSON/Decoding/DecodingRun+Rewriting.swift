import EntiaCoding

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
