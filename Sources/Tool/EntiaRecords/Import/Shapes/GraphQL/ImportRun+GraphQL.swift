import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Reads a GraphQL response. Each object with a `__typename` and an `id` is a record. For an
  /// object without a `__typename`, the schema may define the entity: the root at the top level,
  /// and otherwise the target of the relationship.
  ///
  /// A page with `edges` that each have a `node`, or with `nodes`, is the list of its records. Its
  /// other members are counted as ignored, and so are the members outside the data.
  mutating func readGraphQL(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginObject, "a GraphQL response, which is an object", &reader) else { return }
    var hasData = false
    var errors: (offset: Int, message: String?)?
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let token = try reader.next()
      guard name == "data" else {
        run.ignored[name, default: 0] += 1
        guard name == "errors" else { return try reader.skipValue(token) }
        errors = (offset, try run.firstMessage(token, ["message"], &reader))
        return
      }
      if token == .null { return }
      hasData = true
      guard try run.accept(token, as: .beginObject, "an object as data", &reader) else { return }
      reader.keptFrom = reader.tokenStart
      var tape = JSONTape()
      try tape.read(token, from: &reader)
      for offset in tape.duplicates { run.addDuplicate(at: offset) }
      var walk = GraphQLWalk(tape: tape, reader: reader.reader(from: reader.tokenStart))
      walk.synthesizesIDs = run.stage.schema.entities.contains(where: \.takesIDFromParent)
      let before = run.stage.counts.read
      let root = run.options.root.flatMap { run.stage.schema.entity($0) }
      try walk.readRoots(of: 0, &run, 0, root)
      if run.stage.counts.read == before { walk.checkIsEmpty(run) }
      reader.keptFrom = .max
    }
    guard let errors else { return }
    if hasData {
      stage.problems.add(
        .typeMismatch, at: stage.origin(errors.offset), severity: .warning,
        "the response has errors, so its data may be incomplete")
    } else if let message = errors.message {
      inputs[stage.file].hasErrors = true
      addMismatch(at: errors.offset, "the response has errors instead of data: \(message)")
    }
  }

  func markRoot(_ id: RecordID) {
    let entity = stage.entity(id.entity)
    entity.markRoot(entity.position(of: id.key))
  }
}
