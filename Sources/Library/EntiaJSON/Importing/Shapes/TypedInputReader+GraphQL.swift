import EntiaCoding

extension TypedInputReader {
  /// Reads the data of a GraphQL response: the records at the top level, and the records in pages
  /// and in objects without an ID.
  ///
  /// A `__typename` determines the table of a record at the top level. A record without a
  /// `__typename` belongs to the root's table. If the `__typename` of a nested record is the name
  /// of an entity, the property must refer to this entity. Any other name is not checked. A page is
  /// an object that has an array `edges` or `nodes` and no ID. At the top level and in nested
  /// members, a page is read as the list of its records.
  ///
  /// A response with errors is refused if it has no records. Otherwise its errors are a warning.
  func readGraphQL(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginObject, "a GraphQL response, which is an object", &reader) else { return }
    let before = context.counts.read
    // The offset of the missing data; nil if there is data.
    var missing: Int? = reader.tokenStart
    var errors: (offset: Int, message: String?)?
    while try reader.next() == .name {
      let name = reader.string()
      let offset = reader.tokenStart
      let token = try reader.next()
      guard name == "data" else {
        context.countIgnored(name)
        if name == "errors" {
          errors = (offset, try firstMessage(token, ["message"], &reader))
        } else {
          try reader.skipValue(token)
        }
        continue
      }
      missing = token == .null ? offset : nil
      guard token != .null, try accept(token, as: .beginObject, "an object as data", &reader)
      else { continue }
      while try reader.next() == .name {
        let name = reader.string()
        let token = try reader.next()
        guard token.opens else {
          if token != .null { context.countIgnored(name) }
          try reader.skipValue(token)
          continue
        }
        try readValue(token, &reader, from: reader.tokenStart) {
          flattenPages()
          readData(0, name)
        }
      }
    }
    if let errors, let message = errors.message, context.counts.read == before {
      addMismatch(at: errors.offset, "the response has errors instead of data: \(message)")
    } else if let errors {
      context.problems.add(
        .typeMismatch, at: context.origin(errors.offset), severity: .warning,
        "the response has errors, so its data may be incomplete")
    } else if let missing {
      addMismatch(at: missing, "the response has no data")
    }
  }

  /// Reads the records in a value of the response's data.
  private func readData(_ node: Int, _ name: String) {
    let tape = decoding.tape
    switch tape.nodes[node].token {
    case .beginArray:
      for element in decoding.elementsOrSelf(of: node) { readData(element, name) }
    case .beginObject:
      let typeNode = decoding.value(of: "__typename", in: node)
      let type = typeNode.flatMap { tape.nodes[$0].token == .string ? decoding.text($0) : nil }
      let stage = type.map { self.stage(named: $0) } ?? root
      guard decoding.value(of: "id", in: node) != nil || stage != nil && type != nil else {
        for name in decoding.members(of: node) { readData(name + 1, decoding.text(name)) }
        return
      }
      guard let stage else {
        context.countRejected()
        return addUnknown(type ?? "", at: tape.nodes[typeNode ?? node].start)
      }
      do {
        try readRow(node, stage, isRoot: true)
      } catch {
        // The problem has already been reported.
      }
    case .null: break
    default: context.countIgnored(name)
    }
  }

  /// Replaces each page on the tape by an array of its records. Replaces each nested object by its
  /// ID, if the object has no members except an ID and a `__typename`.
  private func flattenPages() {
    guard decoding.tape.nodes.contains(where: { $0.token == .beginObject }) else { return }
    var flat = TapeRewriting(Array(decoding.tape.nodes))
    copy(0, isNested: false, to: &flat)
    decoding.tape.nodes = JSONTapeNodes(flat.nodes)
  }

  /// Copies a value recursively; ``TypedImportOptions/maximumDepth`` bounds the recursion.
  private func copy(_ node: Int, isNested: Bool, to flat: inout TapeRewriting) {
    switch decoding.tape.nodes[node].token {
    case .beginArray:
      let list = flat.begin(node)
      for element in decoding.elementsOrSelf(of: node) {
        copy(element, isNested: isNested, to: &flat)
      }
      flat.end(list)
    case .beginObject:
      if let records = recordsOfPage(node) {
        let list = flat.beginArray(for: node)
        for record in records { copy(record, isNested: isNested, to: &flat) }
        return flat.end(list)
      }
      let names = decoding.members(of: node)
      let entity = entity(ofRecord: node)
      if isNested, let id = decoding.value(of: "id", in: node),
        names.allSatisfy({ ["id", "__typename"].contains(decoding.text($0)) })
      {
        flat.addLinkage(value: id)
        decoding.namedEntities[flat.nodes.count - 1] = entity
        return
      }
      let object = flat.begin(node)
      decoding.namedEntities[object] = entity
      for name in names {
        flat.addName(name)
        copy(name + 1, isNested: true, to: &flat)
      }
      flat.end(object)
    default: flat.addValue(node)
    }
  }

  /// Returns the entity that an object's `__typename` names; nil if it names none or is missing.
  private func entity(ofRecord node: Int) -> NamedEntity? {
    guard let type = decoding.value(of: "__typename", in: node),
      decoding.tape.nodes[type].token == .string
    else { return nil }
    return entity(named: decoding.text(type))
  }

  /// Returns the records of a page, without nulls; nil if an object is not a page.
  private func recordsOfPage(_ node: Int) -> [Int]? {
    let tape = decoding.tape
    if decoding.value(of: "id", in: node) != nil { return nil }
    let names = ["edges", "nodes"]
    let list = names.compactMap { decoding.value(of: $0, in: node) }
      .first { tape.nodes[$0].token == .beginArray }
    guard let list else { return nil }
    let isEdges = decoding.text(list - 1).isExactly("edges")
    for name in decoding.members(of: node) where name + 1 != list {
      if decoding.text(name) != "__typename" { context.countIgnored(decoding.text(name)) }
    }
    var records: [Int] = []
    for element in decoding.elementsOrSelf(of: list) {
      guard isEdges, tape.nodes[element].token == .beginObject else {
        records.append(element)
        continue
      }
      for name in decoding.members(of: element) {
        switch decoding.text(name) {
        case "node": records.append(name + 1)
        case "__typename": break
        case let other: context.countIgnored("edges." + other)
        }
      }
    }
    return records.filter { record in
      if tape.nodes[record].token == .null { context.countIgnored("null") }
      return tape.nodes[record].token != .null
    }
  }
}
