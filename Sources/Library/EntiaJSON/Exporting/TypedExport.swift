import EntiaCoding
public import EntiaDatabase

/// Options of an export of entities of Swift types.
public struct TypedExportOptions: Sendable {
  /// The maximum depth of nested entities; every level uses stack space.
  static let maximumDepth = 128

  /// The spelling of property names.
  public var keys: KeySpelling
  /// The format of dates.
  public var dates: DateSpelling

  /// Creates options.
  public init(keys: KeySpelling = .same, dates: DateSpelling = .iso8601) {
    self.keys = keys
    self.dates = dates
  }
}

extension NormalizedStorageType {
  /// Returns entities as a JSON array that contains the referenced entities, encoded by their
  /// `Codable` conformances.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - ids: The IDs, in the requested order; nil for all in the table's order. IDs without an
  ///     entity are skipped.
  ///   - depth: The levels of references to nest; 0 returns entities with the IDs that they
  ///     contain. At most 128.
  ///   - inverses: The relationships to follow from an entity to its holders. Each has its own
  ///     depth, independent of `depth`.
  ///   - options: The spelling of names and the format of dates.
  ///   - maximumBytes: The approximate maximum size of the output in bytes.
  /// - Returns: The array, one line for each entity. A reference is written as an ID if its target
  ///   is missing, is beyond the depth, or already encloses the reference.
  /// - Throws: The error of encoding an entity; `EncodingError.invalidValue` if the storage has no
  ///   table of the entity; ``DenormalizeProblem/tooLarge(maximumBytes:fanOut:)`` if the output is
  ///   too long, and ``DenormalizeProblem/repeatedName(_:entity:)`` if two inverses of one entity
  ///   have the same name.
  /// - Complexity: O(size of the output).
  public func exportJSON<Entity: EntityType & Encodable>(
    _ type: Entity.Type, ids: [Entity.EntityID]? = nil, depth: Int = 0,
    following inverses: [InverseNesting<Self>] = [],
    options: TypedExportOptions = TypedExportOptions(),
    maximumBytes: Int = DenormalizeProblem.defaultMaximumBytes
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try exportJSON(
      type, ids: ids, depth: depth, following: inverses, options: options,
      maximumBytes: maximumBytes
    ) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Writes entities as a JSON array in pieces, so that the array is never in memory as a whole.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - ids: The IDs, in the requested order; nil for all in the table's order.
  ///   - depth: The levels of references to nest.
  ///   - inverses: The relationships to follow from an entity to its holders.
  ///   - options: The spelling of names and the format of dates.
  ///   - maximumBytes: The approximate maximum size of the output in bytes.
  ///   - pieces: A closure that is called with each piece, in order.
  /// - Throws: The same errors as ``exportJSON(_:ids:depth:following:options:maximumBytes:)``, and
  ///   the error of the closure.
  /// - Complexity: O(size of the output).
  public func exportJSON<Entity: EntityType & Encodable>(
    _ type: Entity.Type, ids: [Entity.EntityID]? = nil, depth: Int = 0,
    following inverses: [InverseNesting<Self>] = [],
    options: TypedExportOptions = TypedExportOptions(),
    maximumBytes: Int = DenormalizeProblem.defaultMaximumBytes,
    to pieces: ([UInt8]) throws -> Void
  ) throws {
    let exporter = TypedExporter.make(self, options, depth: depth, maximumBytes: maximumBytes)
    var writers = InverseWriters(self, exporter.run)
    try writers.add(inverses)
    let tables = exporter.tables.lazy.map(\.table)
    guard let table = tables.compactMap({ $0 as? TypedTable<Self, Entity> }).first else {
      throw EncodingError.invalid(type, "\(Self.self) has no table of \(Entity.entityName)")
    }
    var writer = JSONWriter(layout: .lines(depth: 1))
    let found = ids.map { $0.compactMap { table.access.find(self, $0) } }
    let entities = found ?? table.access.rows(self)
    exporter.run.begin(rows: entities.count)
    try table.write(entities, to: &writer, exporter.run, pieces)
    writer.endLine()
    try writer.flush(to: pieces)
  }

  /// Returns every table as a JSON array under its name, one line for each entity, in the format
  /// that ``Importer/importingTables(_:into:options:)`` reads.
  ///
  /// - Throws: The error of encoding an entity.
  /// - Complexity: O(size of the output).
  public func exportTables(
    options: TypedExportOptions = TypedExportOptions()
  ) throws -> [UInt8] {
    let exporter = TypedExporter.make(self, options, depth: -1)
    var writer = JSONWriter(layout: .lines(depth: 2))
    writer.beginObject()
    for table in exporter.tables {
      writer.name(table.name)
      try table.writeAll(&writer)
    }
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

/// A table whose entities can be encoded.
private final class TypedTable<Storage: NormalizedStorageType, Entity: EntityType & Encodable> {
  let access: TableAccess<Storage, Entity>
  let writer: TypedIDWriter<Storage, Entity>

  init(_ access: TableAccess<Storage, Entity>, _ storage: Storage) {
    self.access = access
    writer = TypedIDWriter(access, storage)
  }

  func write(
    _ entities: [Entity], to json: inout JSONWriter, _ run: EncodingRun,
    _ pieces: ([UInt8]) throws -> Void
  ) throws {
    json.beginArray()
    for entity in entities {
      try write(entity, to: &json, run)
      run.countWritten()
      if json.bytes.count >= Self.pieceSize { try json.flush(to: pieces) }
    }
    json.endArray()
  }

  /// The minimum size of a piece in bytes, except the last one.
  private static var pieceSize: Int { 1 << 18 }

  func writeAll(to json: inout JSONWriter, _ storage: Storage, _ run: EncodingRun) throws {
    json.beginArray()
    for entity in access.rows(storage) { try write(entity, to: &json, run) }
    json.endArray()
  }

  /// Writes a row.
  /// - Throws: The error of encoding the row. The table and the ID are added to the description of
  ///   an `EncodingError.invalidValue`.
  private func write(_ entity: Entity, to json: inout JSONWriter, _ run: EncodingRun) throws {
    do {
      try writer.write(entity, to: &json, run)
    } catch EncodingError.invalidValue(let value, let context) {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: context.codingPath,
          debugDescription:
            "\(access.name) \(entity.entityID.debugText): \(context.debugDescription)",
          underlyingError: context.underlyingError))
    }
  }
}

private struct TypedExporter<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let run: EncodingRun
  let storage: Storage
  /// The tables, each as a `TypedTable`, with a closure that writes all of its entities.
  var tables: [(name: String, table: AnyObject, writeAll: (inout JSONWriter) throws -> Void)] = []

  /// Returns an exporter with all tables.
  static func make(
    _ storage: Storage, _ options: TypedExportOptions, depth: Int, maximumBytes: Int = .max
  ) -> Self {
    let run = EncodingRun(options, depth: depth, maximumBytes: maximumBytes)
    var exporter = Self(run: run, storage: storage)
    Storage.Contents.visitParts(&exporter)
    return exporter
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard let type = Table.Entity.self as? any (EntityType & Encodable).Type else { return }
    add(type, TableAccess<Storage, Table.Entity>(name, path))
  }

  private mutating func add<Entity: EntityType & Encodable>(
    _ type: Entity.Type, _ access: AnyObject
  ) {
    guard let access = access as? TableAccess<Storage, Entity> else { return }
    let table = TypedTable(access, storage)
    tables.append(
      (access.name, table, { [storage, run] in try table.writeAll(to: &$0, storage, run) }))
    run.idWriters[ObjectIdentifier(Entity.EntityID.self)] =
      table.writer as IDWriter<Entity.EntityID>
  }
}
