/// The output of a value's `encode(to:)`, whose parts are added in any order.
package final class EncodedTree<Leaf> {
  package enum Content {
    case nothing
    case leaf(Leaf)
    case array([EncodedTree])
    case object([(name: String, value: EncodedTree)])
  }

  private var stored: Content
  /// The indices of a large object's members, by name; empty before the first search.
  private var indices: [ExactString: Int] = [:]

  package init(_ content: Content = .nothing) { stored = content }

  package var content: Content {
    get { stored }
    set {
      stored = newValue
      indices = [:]
    }
  }

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
    guard case .array(var elements) = stored else { return element }
    stored = .nothing
    elements.append(element)
    stored = .array(elements)
    return element
  }

  /// Returns the object's member with a name, after adding an empty member if there is none.
  /// - Complexity: O(1) expected.
  package func member(_ name: String) -> EncodedTree {
    let member = EncodedTree()
    guard case .object(var members) = stored else { return member }
    if let index = index(of: name, in: members) { return members[index].value }
    stored = .nothing
    if !indices.isEmpty { indices[ExactString(name)] = members.count }
    members.append((name, member))
    stored = .object(members)
    return member
  }

  private func index(of name: String, in members: [(name: String, value: EncodedTree)]) -> Int? {
    // Comparing a few names takes less time than hashing one.
    if members.count <= 16 { return members.firstIndex { $0.name.isExactly(name) } }
    if indices.isEmpty {
      indices = Dictionary(
        members.enumerated().map { (ExactString($1.name), $0) },
        uniquingKeysWith: { first, _ in first })
    }
    return indices[ExactString(name)]
  }
}

extension EncodedTree {
  /// Sorts the content if `type` is a set or a dictionary of the standard library, because their
  /// iteration order differs from one process to another. Equal values then have equal outputs.
  /// - Parameters:
  ///   - type: The type of the encoded value.
  ///   - text: Returns the text by which an element or a key is sorted.
  package func sortIfUnordered(
    _ type: Any.Type, by text: (EncodedTree) throws -> String
  ) rethrows {
    guard let type = type as? any UnorderedCollection.Type else { return }
    switch content {
    case .object(let members):
      content = .object(members.sorted { ExactString($0.name) < ExactString($1.name) })
    case .array(let values):
      let size = type.encodedValuesPerElement
      let elements = try stride(from: 0, to: values.count, by: size).map { start in
        (text: ExactString(try text(values[start])), values: values[start..<start + size])
      }
      content = .array(elements.sorted { $0.text < $1.text }.flatMap(\.values))
    case .nothing, .leaf: break
    }
  }
}

extension EncodedTree<JSONText> {
  /// Writes the value as JSON.
  /// - Parameters:
  ///   - writer: The writer.
  ///   - sortsNames: Whether the members of an object are sorted by their names.
  ///   - nothing: The text of a value that encodes nothing.
  package func write(
    to writer: inout JSONWriter, sortsNames: Bool = false, nothing: JSONText = .null
  ) {
    switch content {
    case .nothing: writer.text(nothing)
    case .leaf(let text): writer.text(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements {
        element.write(to: &writer, sortsNames: sortsNames, nothing: nothing)
      }
      writer.endArray()
    case .object(var members):
      if sortsNames { members.sort { ExactString($0.name) < ExactString($1.name) } }
      writer.beginObject()
      for member in members {
        writer.name(member.name)
        member.value.write(to: &writer, sortsNames: sortsNames, nothing: nothing)
      }
      writer.endObject()
    }
  }
}

/// Returns whether a type is a dictionary of the standard library.
package func isDictionary(_ type: Any.Type) -> Bool { type is any DictionaryType.Type }

private protocol DictionaryType {}

extension Dictionary: DictionaryType {}

/// A collection type without an order: `Set` or `Dictionary`.
private protocol UnorderedCollection {
  /// The number of values in the encoded array for each element of the collection.
  static var encodedValuesPerElement: Int { get }
}

extension Set: UnorderedCollection {
  fileprivate static var encodedValuesPerElement: Int { 1 }
}

extension Dictionary: UnorderedCollection {
  fileprivate static var encodedValuesPerElement: Int { 2 }
}
