/// The output of a value's `encode(to:)`, whose parts are added in any order.
package final class EncodedTree<Leaf> {
  package enum Content {
    case nothing
    case leaf(Leaf)
    case array([EncodedTree])
    case object([(name: String, value: EncodedTree)])
  }

  package var content: Content
  /// The members of a large object by name.
  private var indices: [ExactString: Int] = [:]

  package init(_ content: Content = .nothing) { self.content = content }

  /// The number of elements of an array.
  package var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

  /// Turns the value into an object, unless it is one.
  package func beginObject() {
    if case .object = content { return }
    content = .object([])
  }

  /// Turns the value into an array, unless it is one.
  package func beginArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// Appends an element to an array.
  package func appendElement() -> EncodedTree {
    let element = EncodedTree()
    guard case .array(var elements) = content else { return element }
    content = .nothing
    elements.append(element)
    content = .array(elements)
    return element
  }

  /// Returns the member of an object with a name.
  package func member(_ name: String) -> EncodedTree {
    let member = EncodedTree()
    guard case .object(var members) = content else { return member }
    if let index = index(of: name, in: members) { return members[index].value }
    content = .nothing
    if members.count >= 16 { indices[ExactString(name)] = members.count }
    members.append((name, member))
    content = .object(members)
    return member
  }

  private func index(of name: String, in members: [(name: String, value: EncodedTree)]) -> Int? {
    members.prefix(16).firstIndex { $0.name.isExactly(name) } ?? indices[ExactString(name)]
  }
}
