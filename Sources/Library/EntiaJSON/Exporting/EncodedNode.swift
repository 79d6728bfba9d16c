import EntiaCoding

/// A value that is being encoded as JSON.
typealias EncodedNode = EncodedTree<JSONText>

extension EncodedTree<JSONText> {
  /// Returns the node as a single text, which takes a fraction of the memory of its parts.
  func asText() -> EncodedNode {
    EncodedNode(.leaf(JSONWriter.text { write(to: &$0) }))
  }

  func write(to writer: inout JSONWriter) {
    switch content {
    case .nothing: writer.null()
    case .leaf(let text): writer.text(text)
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

/// A node of one export.
struct NodeDestination: EncodingDestination {
  let run: EncodingRun
  let node: EncodedNode
  let codingPath: [any CodingKey]

  var count: Int { node.count }

  func beginObject() { node.beginObject() }
  func beginArray() { node.beginArray() }

  func encodeNil() throws { node.content = .leaf(try run.counted(.null)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.content = try run.encode(value, at: codingPath).content
  }

  func member(_ key: any CodingKey) -> NodeDestination {
    let name = run.spelled(key.stringValue)
    run.countName(name)
    return NodeDestination(run: run, node: node.member(name), codingPath: codingPath + [key])
  }

  func element() -> NodeDestination {
    let path = codingPath + [NamedKey(count)]
    return NodeDestination(run: run, node: node.appendElement(), codingPath: path)
  }
}
