extension TypedInputReader {
  /// Reads a JSON:API document: the resources in its data, and the included ones.
  ///
  /// The type of a resource determines its table. A relationship is the member with its name, or
  /// the property with that name and the suffix `ID` or `IDs`, such as `author` for `authorID`.
  func readJSONAPI(_ reader: inout JSONReader) throws(JSONError) {
    let first = try reader.next()
    guard first == .beginObject else {
      add(
        .typeMismatch, at: reader.tokenStart,
        "expected a document, which is an object; found \(first.kindDescription)")
      return try reader.skipValue(first)
    }
    var names: Set<ExactString> = []
    while try reader.next() == .name {
      let name = reader.string()
      let offset = reader.tokenStart
      if !names.insert(ExactString(name)).inserted { addDuplicate(at: offset) }
      let token = try reader.next()
      switch name {
      case "data", "included": try readResources(token, isRoot: name == "data", &reader)
      case "errors":
        add(.typeMismatch, at: offset, "the document lists errors and holds no data")
        try reader.skipValue(token)
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
    guard first == .beginArray else {
      add(
        .typeMismatch, at: reader.tokenStart, "expected resources, found \(first.kindDescription)")
      return try reader.skipValue(first)
    }
    while true {
      let token = try reader.next()
      if token == .endArray { return }
      try readResource(token, isRoot: isRoot, &reader)
    }
  }

  private func readResource(
    _ token: JSONToken, isRoot: Bool, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard token == .beginObject else {
      add(
        .typeMismatch, at: reader.tokenStart,
        "expected a resource, an object with type and id; found \(token.kindDescription)")
      return try reader.skipValue(token)
    }
    try readValue(token, &reader, from: reader.tokenStart) {
      guard let stage = flattenResource(isRoot: isRoot) else { return context.countRejected() }
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
  /// - Returns: The table of the record; nil if there is a problem, which has already been
  ///   reported.
  private func flattenResource(isRoot: Bool) -> AnyTypedStage<Storage>? {
    let tape = decoding.tape
    let start = tape.nodes[0].start
    for name in ["type", "id"] {
      guard let value = decoding.value(of: name, in: 0) else {
        add(.missingID, at: start, "this resource has no \(name)")
        return nil
      }
      guard tape.nodes[value].token == .string else {
        add(
          .typeMismatch, at: tape.nodes[value - 1].start,
          "the \(name) of a resource is a string; found \(tape.nodes[value].token.kindDescription)")
        return nil
      }
    }
    guard let type = decoding.value(of: "type", in: 0), let id = decoding.value(of: "id", in: 0)
    else { return nil }
    guard let stage = stage(named: decoding.text(type)) else {
      addUnknown(decoding.text(type), at: tape.nodes[type].start)
      return nil
    }
    for name in decoding.members(of: 0)
    where !["type", "id", "attributes", "relationships"].contains(decoding.text(name)) {
      context.countIgnored(decoding.text(name))
    }
    var record = TapeRewriting(tape.nodes)
    let object = record.begin(0)
    record.addID(name: id - 1, value: id, isNumber: stage.hasIntegerIDs && decoding.isInteger(id))
    var names: Set<ExactString> = []
    guard let attributes = parts("attributes"), let relationships = parts("relationships") else {
      return nil
    }
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
        return nil
      }
    }
    for name in relationships {
      let text = decoding.text(name)
      if !names.insert(ExactString(text)).inserted { addDuplicate(at: tape.nodes[name].start) }
      guard add(name, to: &record) else { return nil }
    }
    record.end(object)
    decoding.tape.nodes = record.nodes
    return stage
  }

  /// Returns the names in one part of a resource, which may be missing; nil if the part is not an
  /// object.
  private func parts(_ name: String) -> [Int]? {
    guard let part = decoding.value(of: name, in: 0) else { return [] }
    let node = decoding.tape.nodes[part]
    if node.token == .beginObject { return decoding.members(of: part) }
    add(
      .typeMismatch, at: decoding.tape.nodes[part - 1].start,
      "the \(name) of a resource is an object; found \(node.token.kindDescription)")
    return nil
  }

  /// Adds the linkage of a relationship, if it has any.
  ///
  /// - Returns: False if there is a problem, which has already been reported.
  private func add(_ name: Int, to record: inout TapeRewriting) -> Bool {
    let tape = decoding.tape
    guard tape.nodes[name + 1].token == .beginObject else {
      add(
        .typeMismatch, at: tape.nodes[name + 1].start,
        "a relationship is an object; found \(tape.nodes[name + 1].token.kindDescription)")
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
    case .beginArray:
      let list = record.beginLinkage(name: name, list: data)
      for element in decoding.elementsOrSelf(of: data) {
        guard let id = identifier(element) else { return false }
        record.addLinkage(value: id.node, isNumber: id.isNumber)
      }
      record.end(list)
    default:
      add(
        .typeMismatch, at: tape.nodes[data].start,
        "linkage is null, an object with type and id, or an array of them; found "
          + tape.nodes[data].token.kindDescription)
      return false
    }
    return true
  }

  /// Returns the ID in linkage; nil if there is none, which has already been reported.
  private func identifier(_ node: Int) -> (node: Int, isNumber: Bool)? {
    let tape = decoding.tape
    guard tape.nodes[node].token == .beginObject else {
      add(
        .typeMismatch, at: tape.nodes[node].start,
        "linkage is objects with type and id; found \(tape.nodes[node].token.kindDescription)")
      return nil
    }
    guard let id = decoding.value(of: "id", in: node), tape.nodes[id].token == .string,
      let type = decoding.value(of: "type", in: node), tape.nodes[type].token == .string
    else {
      add(
        .missingID, at: tape.nodes[node].start, "this linkage has no type and id that are strings")
      return nil
    }
    let isNumber =
      stage(named: decoding.text(type))?.hasIntegerIDs == true && decoding.isInteger(id)
    return (id, isNumber)
  }
}
