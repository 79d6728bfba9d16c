import EntiaCoding

extension TypedInputReader {
  /// Reads a JSON:API document: the resources in its data, and the included ones.
  ///
  /// The type of a resource determines its table. A relationship such as `author` is read as the
  /// property of the same name, or of that name with the suffix `ID` or `IDs`, such as `authorID`.
  /// If the type in the linkage of a relationship is the name of an entity, the property must refer
  /// to this entity. Any other type in a linkage is not checked.
  func readJSONAPI(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginObject, "a JSON:API document, which is an object", &reader) else {
      return
    }
    var names: Set<ExactString> = []
    while let name = try nextName(&names, &reader) {
      let offset = reader.tokenStart
      let token = try reader.next()
      switch name {
      case "data", "included": try readResources(token, isRoot: name == "data", &reader)
      case "errors":
        let message = try firstMessage(token, ["detail", "title", "code"], &reader)
        addMismatch(
          at: offset,
          "the document has errors instead of data" + (message.map { ": \($0)" } ?? ""))
      default:
        context.countIgnored(name)
        try reader.skipValue(token)
      }
    }
  }

  private func readResources(
    _ first: JSONToken, isRoot: Bool, _ reader: inout JSONReader
  ) throws(JSONError) {
    if first == .null, isRoot { return }
    if first == .beginObject, isRoot { return try readResource(first, isRoot: true, &reader) }
    guard try accept(first, as: .beginArray, "an array of resources", &reader) else { return }
    while let token = try reader.nextElement() {
      try readResource(token, isRoot: isRoot, &reader)
    }
  }

  private func readResource(
    _ token: JSONToken, isRoot: Bool, _ reader: inout JSONReader
  ) throws(JSONError) {
    let expected = "a resource, which is an object with type and id"
    guard try accept(token, as: .beginObject, expected, &reader) else { return }
    try readValue(token, &reader, from: reader.tokenStart) {
      guard let stage = flattenResource() else { return context.countRejected() }
      try readRow(0, stage, isRoot: isRoot)
      for name in decoding.members(of: 0) {
        let value = decoding.tape.nodes[name + 1]
        guard value.isLinkage, !value.isDecoded else { continue }
        context.countIgnored("\(stage.name).\(decoding.text(name))")
      }
    }
  }

  /// Converts the resource on the tape to a record with its attributes and the IDs of its
  /// relationships.
  ///
  /// - Returns: The table of the record; nil if there are problems, which have already been
  ///   reported.
  private func flattenResource() -> AnyTypedStage<Storage>? {
    let tape = decoding.tape
    let start = tape.nodes[0].start
    var isWhole = true
    for name in ["type", "id"] {
      guard let value = decoding.value(of: name, in: 0) else {
        add(.missingID, at: start, "this resource has no \(name)")
        return nil
      }
      guard tape.nodes[value].token != .string else { continue }
      isWhole = false
      addMismatch(value, at: value - 1, "a string as \(name) of a resource")
    }
    let attributes = parts("attributes")
    let relationships = parts("relationships")
    guard isWhole, let attributes, let relationships,
      let type = decoding.value(of: "type", in: 0), let id = decoding.value(of: "id", in: 0)
    else { return nil }
    guard let stage = stage(named: decoding.text(type)) else {
      addUnknown(decoding.text(type), at: tape.nodes[type].start)
      return nil
    }
    for name in decoding.members(of: 0)
    where !["type", "id", "attributes", "relationships"].contains(decoding.text(name)) {
      context.countIgnored(decoding.text(name))
    }
    var record = TapeRewriting(Array(tape.nodes))
    let object = record.begin(0)
    record.addID(name: id - 1, value: id, isNumber: stage.hasIntegerIDs && decoding.isInteger(id))
    var names: Set<ExactString> = []
    for name in attributes {
      let text = decoding.text(name)
      names.insert(ExactString(text))
      guard text.isExactly("id") else {
        record.addMember(name)
        continue
      }
      // Some servers repeat the ID among the attributes, often as a number.
      guard decoding.scalarText(name + 1)?.isExactly(decoding.text(id)) == true else {
        add(
          .conflict, at: tape.nodes[name].start,
          "\(stage.name) \(decoding.text(id).quoted) has another \"id\" among its attributes; leave "
            + "one of them out, or make them equal")
        isWhole = false
        continue
      }
    }
    for name in relationships {
      let text = decoding.text(name)
      // A name that `relationships` itself repeats has already been reported.
      if names.remove(ExactString(text)) != nil { addDuplicate(at: tape.nodes[name].start) }
      if !add(name, to: &record) { isWhole = false }
    }
    guard isWhole else { return nil }
    record.end(object)
    decoding.tape.nodes = JSONTapeNodes(record.nodes)
    return stage
  }

  /// Returns the names in one part of a resource. Returns no names if the part is missing, and nil
  /// if the part is not an object.
  private func parts(_ name: String) -> [Int]? {
    guard let part = decoding.value(of: name, in: 0) else { return [] }
    let node = decoding.tape.nodes[part]
    if node.token == .beginObject { return decoding.members(of: part) }
    addMismatch(part, at: part - 1, "an object as \(name) of a resource")
    return nil
  }

  /// Reports that a value on the tape is not what is expected, at the position of a node.
  private func addMismatch(_ value: Int, at node: Int, _ expected: String) {
    addMismatch(
      at: decoding.tape.nodes[node].start,
      "expected \(expected), found \(decoding.tape.nodes[value].token.kindDescription)")
  }

  /// Adds the linkage of a relationship, if it has any.
  ///
  /// - Returns: False if there are problems, which have already been reported.
  private func add(_ name: Int, to record: inout TapeRewriting) -> Bool {
    let tape = decoding.tape
    guard tape.nodes[name + 1].token == .beginObject else {
      addMismatch(name + 1, at: name + 1, "a relationship, which is an object")
      return false
    }
    for part in decoding.members(of: name + 1) where !decoding.text(part).isExactly("data") {
      context.countIgnored(decoding.text(part))
    }
    guard let data = decoding.value(of: "data", in: name + 1) else { return true }
    switch tape.nodes[data].token {
    case .null: record.addLinkage(name: name, value: data)
    case .beginObject:
      guard let id = identifier(data) else { return false }
      record.addLinkage(name: name, value: id.node, isNumber: id.isNumber)
      decoding.namedEntities[record.nodes.count - 1] = id.entity
    case .beginArray:
      let list = record.beginLinkage(name: name, list: data)
      var isWhole = true
      for element in decoding.elementsOrSelf(of: data) {
        guard let id = identifier(element) else {
          isWhole = false
          continue
        }
        record.addLinkage(value: id.node, isNumber: id.isNumber)
        decoding.namedEntities[record.nodes.count - 1] = id.entity
      }
      record.end(list)
      return isWhole
    default:
      addMismatch(data, at: data, "null, a resource identifier or an array of these as linkage")
      return false
    }
    return true
  }

  /// Returns the node of the `id` in a resource identifier, whether the `id` is read as a number,
  /// and the entity that the `type` names, if any. If `node` is not an object with an `id` and a
  /// `type`, reports the problem and returns nil.
  private func identifier(_ node: Int) -> (node: Int, isNumber: Bool, entity: NamedEntity?)? {
    let tape = decoding.tape
    guard tape.nodes[node].token == .beginObject else {
      addMismatch(
        node, at: node, "a resource identifier, which is an object with type and id")
      return nil
    }
    guard let id = decoding.value(of: "id", in: node), tape.nodes[id].token == .string,
      let type = decoding.value(of: "type", in: node), tape.nodes[type].token == .string
    else {
      add(
        .missingID, at: tape.nodes[node].start,
        "this resource identifier has no type and id that are strings")
      return nil
    }
    let name = decoding.text(type)
    let isNumber = stage(named: name)?.hasIntegerIDs == true && decoding.isInteger(id)
    return (id, isNumber, entity(named: name))
  }
}
