import EntiaDatabase

/// The entities of one table that an import has met; see ``TypedStage``.
class AnyTypedStage<Storage: NormalizedStorageType> {
  /// The name of the table.
  let name: String

  init(_ name: String) { self.name = name }

  /// Reads an entity that stands at the top level of a table.
  func readRow(_ node: Int, _ run: DecodingRun) throws {}
  /// Tells the references to entities that exist neither here nor in the database.
  func tellDangling() {}
  /// Writes what was met, in the order it was met.
  func write(into context: inout BatchContext<Storage>) {}
  /// How many entities the database has.
  func count(in storage: Storage) -> Int { 0 }
}

/// The entities of one table that an import has met: a reader of their IDs, which takes in the entity
/// wherever it stands in the place of its ID.
final class TypedStage<Storage: NormalizedStorageType, Entity: EntityType & Decodable>:
  AnyTypedStage<Storage>
{
  private let access: TableAccess<Storage, Entity>
  private unowned let context: TypedImportContext<Storage>
  /// What was met, and where first.
  private var rows: [(entity: Entity, origin: Origin, isChanged: Bool)] = []
  private var index: [Entity.EntityID: Int] = [:]
  /// The IDs that stand alone somewhere, each with the first such place.
  private var named: [Entity.EntityID: Origin] = [:]
  private var repeats = RepeatCache<Entity.EntityID>()
  let idReader: TypedIDReader<Storage, Entity>

  init(_ access: TableAccess<Storage, Entity>, _ context: TypedImportContext<Storage>) {
    self.access = access
    self.context = context
    idReader = TypedIDReader()
    super.init(access.name)
    idReader.stage = self
  }

  override func readRow(_ node: Int, _ run: DecodingRun) throws { _ = try read(node, run) }

  /// Reads the entity at a node, which may have been read in the same bytes before, and gives its ID.
  fileprivate func readNested(_ node: Int, _ run: DecodingRun) throws -> Entity.EntityID {
    let text = run.bytes(node)
    // Where a later entity takes the place of an earlier one, the earlier text says something new.
    let policy = context.options.onConflict
    guard text.count <= RepeatCache<Entity.EntityID>.longest, policy == .error || policy == .keep
    else { return try read(node, run) }
    let hash = ByteRange.hash(UnsafeRawBufferPointer(text))
    if let known = repeats.find(text, hash) {
      context.counts.read += known.records
      context.counts.unchanged += known.records
      return known.id
    }
    let (records, problems) = (context.counts.read, context.problems.pending.count)
    let id = try read(node, run)
    if context.problems.pending.count == problems {
      repeats.note(text, hash, id: id, records: context.counts.read - records)
    }
    return id
  }

  /// Reads the entity at a node, and gives its ID.
  func read(_ node: Int, _ run: DecodingRun) throws -> Entity.EntityID {
    context.counts.read += 1
    let origin = context.origin(run.tape.nodes[node].start)
    let entity: Entity
    do {
      entity = try Entity(from: NodeDecoder(run: run, node: node))
    } catch {
      throw context.tell(error, run, table: name, recordAt: node)
    }
    take(entity, from: origin)
    return entity.entityID
  }

  /// Notes an ID that stands alone.
  func name(_ id: Entity.EntityID, at offset: Int) {
    if index[id] == nil, named[id] == nil { named[id] = context.origin(offset) }
  }

  private func take(_ entity: Entity, from origin: Origin) {
    let id = entity.entityID
    let known: (entity: Entity, origin: Origin)
    if let place = index[id] {
      known = (rows[place].entity, rows[place].origin)
    } else {
      index[id] = rows.count
      guard let stored = access.find(context.base, id) else {
        rows.append((entity, origin, true))
        context.counts.inserted += 1
        return
      }
      rows.append((stored, .database, false))
      known = (stored, .database)
    }
    guard known.entity != entity else {
      context.counts.unchanged += 1
      return
    }
    switch context.options.onConflict {
    case .error:
      context.problems.add(
        .conflict, at: origin, other: known.origin,
        "\(name) \(id.debugText) differs from the one in")
    case .keep: context.counts.unchanged += 1
    case .replace, .merge:
      if let place = index[id] { rows[place] = (entity, origin, true) }
      context.counts.updated += 1
    }
  }

  override func tellDangling() {
    for (id, origin) in named where index[id] == nil && access.find(context.base, id) == nil {
      context.problems.add(
        .danglingReference, at: origin, severity: .warning,
        "this names \(name) \(id.debugText), which does not exist")
    }
  }

  override func write(into batch: inout BatchContext<Storage>) {
    access.insert(&batch, rows.lazy.filter(\.isChanged).map(\.entity))
  }

  override func count(in storage: Storage) -> Int { access.rows(storage).count }
}

/// Reads the IDs of one type of entity.
final class TypedIDReader<Storage: NormalizedStorageType, Entity: EntityType & Decodable>:
  IDReader<Entity.EntityID>
{
  /// The stage has the reader, and lives as long as the import.
  unowned fileprivate(set) var stage: TypedStage<Storage, Entity>?

  override func read(_ node: Int, _ run: DecodingRun) throws -> Entity.EntityID {
    guard let stage else { throw run.mismatch(Entity.EntityID.self, node) }
    let entry = run.tape.nodes[node]
    if entry.token == .beginObject { return try stage.readNested(node, run) }
    let id = Entity.EntityID(try raw(node, run))
    stage.name(id, at: entry.start)
    return id
  }

  private func raw(_ node: Int, _ run: DecodingRun) throws -> Entity.EntityIDRawType {
    if Entity.EntityIDRawType.self == String.self {
      return try run.string(node) as? Entity.EntityIDRawType ?? unreadable(node, run)
    }
    guard let type = Entity.EntityIDRawType.self as? any Decodable.Type else {
      throw run.mismatch(Entity.EntityIDRawType.self, node)
    }
    func decode<Raw: Decodable>(_ type: Raw.Type) throws -> Any { try run.decode(type, node) }
    return try decode(type) as? Entity.EntityIDRawType ?? unreadable(node, run)
  }

  private func unreadable(_ node: Int, _ run: DecodingRun) throws -> Entity.EntityIDRawType {
    throw run.mismatch(Entity.EntityIDRawType.self, node)
  }
}

extension EntityIdentifier {
  /// The raw value as messages tell it.
  var debugText: String {
    if let text = raw as? String { return text.quoted }
    return String(describing: raw).excerpt()
  }
}
