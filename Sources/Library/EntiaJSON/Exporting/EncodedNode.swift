import EntiaCoding

/// A value that is being encoded; its parts may be added in any order.
final class EncodedNode {
  enum Content {
    case nothing
    case text(JSONText)
    case array([EncodedNode])
    case object([(name: String, value: EncodedNode)])
  }

  var content = Content.nothing

  init(_ content: Content = .nothing) { self.content = content }

  /// Appends an element. The node becomes an array if it is not one.
  func append(_ node: EncodedNode) {
    var elements: [EncodedNode] = []
    if case .array(let known) = content { elements = known }
    content = .nothing
    elements.append(node)
    content = .array(elements)
  }

  /// Sets a member. The node becomes an object if it is not one.
  func set(_ name: String, _ node: EncodedNode) {
    var members: [(name: String, value: EncodedNode)] = []
    if case .object(let known) = content { members = known }
    content = .nothing
    if let place = members.firstIndex(where: { $0.name.isExactly(name) }) {
      members[place].value = node
    } else {
      members.append((name, node))
    }
    content = .object(members)
  }

  /// Returns the node as a single text, which takes a fraction of the memory of its parts.
  func asText() -> EncodedNode {
    EncodedNode(.text(JSONWriter.text { write(to: &$0) }))
  }

  func write(to writer: inout JSONWriter) {
    switch content {
    case .nothing: writer.null()
    case .text(let text): writer.text(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.name(member.name)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}
