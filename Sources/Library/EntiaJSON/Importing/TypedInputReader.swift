import EntiaCoding
import EntiaDatabase

/// Reads the records of one input of any format into the stages of their tables.
struct TypedInputReader<Storage: NormalizedStorageType>: ShapeReader {
  let context: TypedImportContext
  let decoding: DecodingRun
  let stages: [AnyTypedStage<Storage>]
  /// The table of the records at the top level; nil if the input names the tables itself.
  let root: AnyTypedStage<Storage>?

  var path: JSONPath? { context.options.at }
  var maximumDepth: Int { context.options.maximumDepth }

  // MARK: Inputs

  /// Reads an input of a format other than lines.
  /// - Throws: A `JSONError` if the text is invalid.
  func read(_ reader: inout JSONReader, as format: ImportFormat) throws(JSONError) {
    guard try descend(&reader) else { return }
    switch format {
    case .tables: try readTables(&reader)
    case .keyed: try readKeyed(&reader)
    case .django: try readDjango(&reader)
    case .jsonapi: try readJSONAPI(&reader)
    case .graphql: try readGraphQL(&reader)
    case .nested, .ndjson, .csv, .auto:
      try readRecords(&reader) { (token, reader) throws(JSONError) in
        try readRoot(token, &reader)
      }
    }
    try ascend(&reader)
    _ = try reader.next()
  }

  /// Reads an input that has a record on each line.
  func readLines(_ window: ByteWindow) {
    readLines(window) { (token, reader) throws(JSONError) in try readRoot(token, &reader) }
  }

  private func readRoot(_ token: JSONToken, _ reader: inout JSONReader) throws(JSONError) {
    guard let root else { return try reader.skipValue(token) }
    try readRecord(token, &reader, of: root.name) { try root.readRoot(0, decoding) }
  }

  // MARK: Records

  /// Reads a record onto the tape, and decodes it from there.
  ///
  /// - Parameters:
  ///   - table: The table of the record, for problems.
  ///   - body: A closure that decodes the tape; its errors have already been reported.
  func readRecord(
    _ token: JSONToken, _ reader: inout JSONReader, of table: String, _ body: () throws -> Void
  ) throws(JSONError) {
    guard try accept(token, as: .beginObject, "an object as a record of \(table)", &reader) else {
      return
    }
    try readValue(token, &reader, from: reader.tokenStart, body)
  }

  /// Reads a value onto the tape.
  ///
  /// - Parameters:
  ///   - start: The offset of the first byte that the tape refers to.
  ///   - body: A closure that decodes the tape; its errors have already been reported.
  func readValue(
    _ token: JSONToken, _ reader: inout JSONReader, from start: Int, _ body: () throws -> Void
  ) throws(JSONError) {
    reader.keptFrom = start
    try decoding.tape.read(token, from: &reader)
    decoding.namedEntities.removeAll(keepingCapacity: true)
    decoding.plainMembers.removeAll(keepingCapacity: true)
    for offset in decoding.tape.duplicates { addDuplicate(at: offset) }
    decoding.reader = reader.reader(from: start)
    do {
      try body()
    } catch {
      // The problem has already been reported.
    }
    reader.keptFrom = .max
  }

  /// Decodes the record at a node. If `isRoot` is true and the table is the root's, the ID of the
  /// record is added to the IDs at the top level.
  func readRow(_ node: Int, _ stage: AnyTypedStage<Storage>, isRoot: Bool) throws {
    if isRoot, stage === root {
      try stage.readRoot(node, decoding)
    } else {
      try stage.readRow(node, decoding)
    }
  }

  /// Returns the table for records whose type is given as `name`: a type name of the options, or
  /// the name of a table or an entity.
  func stage(named name: String) -> AnyTypedStage<Storage>? {
    if let type = context.options.typeNames[name] {
      return stages.first { ObjectIdentifier($0.entity) == ObjectIdentifier(type) }
    }
    if let stage = stages.first(where: { $0.name.isExactly(name) }) { return stage }
    let folded = Self.folded(name)
    return stages.first {
      Self.folded($0.name) == folded || Self.folded($0.entity.entityName) == folded
    }
  }

  /// Returns the entity of records with a type name; nil if no entity of the storage has it.
  func entity(named name: String) -> NamedEntity? {
    if let known = decoding.entitiesByName[ExactString(name)] { return known }
    let type = context.options.typeNames[name] ?? stage(named: name)?.entity
    let entity = type.map { NamedEntity(type: $0, name: name) }
    decoding.entitiesByName[ExactString(name)] = .some(entity)
    return entity
  }

  private static func folded(_ name: String) -> [UInt8] {
    DecodingRun.fold(DecodingRun.fold(Array(name.utf8)), UInt8(ascii: "-"))
  }

  // MARK: Problems

  func add(_ kind: ImportProblem.Kind, at offset: Int, _ message: String) {
    context.problems.add(kind, at: context.origin(offset), message)
  }

  /// Reports records whose type name `name` matches no table and no entity.
  func addUnknown(_ name: String, at offset: Int) {
    let names = stages.map(\.name) + stages.map { $0.entity.entityName }
    add(
      .unknownEntity, at: offset,
      "\(name.quoted) is no table or entity of \(Storage.self)"
        + Suggestion.sentence(for: name, among: names)
        + "; name its entity in typeNames")
  }
}
