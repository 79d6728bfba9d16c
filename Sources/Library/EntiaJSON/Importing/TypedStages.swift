import EntiaCoding
public import EntiaDatabase

/// The stages of all tables whose entities can be decoded.
@frozen
@usableFromInline
struct TypedStages<Storage: NormalizedStorageType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let base: Storage
  @usableFromInline let context: TypedImportContext
  @usableFromInline let decoding: DecodingRun
  @usableFromInline var tables: [AnyTypedStage<Storage>] = []
  @usableFromInline var links: [ParentLink] = []

  @inlinable
  init(_ base: Storage, _ options: TypedImportOptions) {
    self.base = base
    context = TypedImportContext(options)
    decoding = DecodingRun(options)
    Storage.Contents.visitParts(&self)
    setChildTables()
  }

  /// Sets, for each table, the tables that may have the children of its entities.
  @usableFromInline
  func setChildTables() {
    for parent in tables {
      parent.children.tables = tables.map { child in
        let links = links.filter {
          $0.child == ObjectIdentifier(child.entity) && $0.parent == ObjectIdentifier(parent.entity)
        }
        return ChildTables.Table(name: child.name, links: links, read: child.readChild)
      }
    }
  }

  @usableFromInline
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    links.append(ParentLink(name, base.snapshot.contents[keyPath: path]))
  }

  @inlinable
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard let decoder = EntityDecoder<Table.Entity>.make() else { return }
    let stage = TypedStage<Table>(
      name, base.snapshot.contents[keyPath: path], context, decoder,
      context.receptionTime == nil ? nil : base.receptionTimes(of: Table.Entity.self))
    decoding.add(Table.Entity.EntityID.self) { node, run in try stage.readID(node, run) }
    decoding.add([Table.Entity.EntityID].self) { node, run in try stage.readIDs(node, run) }
    tables.append(
      AnyTypedStage(
        name, Table.Entity.self, roots: stage.roots,
        readRow: { node, run in try stage.read(node, run) },
        readRoot: { node, run in try stage.readRoot(node, run) },
        // `unowned`, because stages retain each other's readers. This object retains the stage.
        readChild: { [unowned stage] node, parent, run in
          try stage.readChild(node, of: parent, run)
        },
        children: stage.children,
        reportDangling: { stage.reportDangling() },
        addOrigins: { stage.addOrigins(of: $0, to: &$1) },
        write: { batch in stage.write(to: batch.modifying[dynamicMember: path]) },
        count: { $0.snapshot.contents[keyPath: path].count }))
  }
}

/// A stage, independent of the type of its entities.
@usableFromInline
final class AnyTypedStage<Storage: NormalizedStorageType> {
  /// The name of the table.
  let name: String
  let entity: any EntityType.Type
  /// Whether the IDs are integers.
  let hasIntegerIDs: Bool
  /// The IDs at the top level, as ``RootIDs``.
  let roots: AnyObject
  /// Reads an entity, without adding its ID to `roots`.
  let readRow: (Int, DecodingRun) throws -> Void
  /// Reads an entity at the top level, and adds its ID to `roots`.
  let readRoot: (Int, DecodingRun) throws -> Void
  /// Reads an entity that is nested in its parent.
  let readChild: ChildTables.ReadChild
  /// The tables with the children of this table's entities.
  let children: ChildTables
  /// Reports the references to entities that are neither staged nor in the database.
  let reportDangling: () -> Void
  /// Adds the origins of the rows with the given labels, except rows of the database.
  let addOrigins: (Set<EntityLabel>, inout [EntityLabel: Origin]) -> Void
  /// Writes the changed entities, in the order in which they were read.
  let write: (inout BatchContext<Storage>) -> Void
  /// The function that returns the number of entities in the database.
  let count: (Storage) -> Int

  @usableFromInline
  init(
    _ name: String, _ entity: any EntityType.Type, roots: AnyObject,
    readRow: @escaping (Int, DecodingRun) throws -> Void,
    readRoot: @escaping (Int, DecodingRun) throws -> Void,
    readChild: @escaping ChildTables.ReadChild, children: ChildTables,
    reportDangling: @escaping () -> Void,
    addOrigins: @escaping (Set<EntityLabel>, inout [EntityLabel: Origin]) -> Void,
    write: @escaping (inout BatchContext<Storage>) -> Void, count: @escaping (Storage) -> Int
  ) {
    self.name = name
    self.entity = entity
    func hasIntegerIDs<Entity: EntityType>(_ entity: Entity.Type) -> Bool {
      Entity.EntityIDRawType.self is any FixedWidthInteger.Type
    }
    self.hasIntegerIDs = hasIntegerIDs(entity)
    self.roots = roots
    self.readRow = readRow
    self.readRoot = readRoot
    self.readChild = readChild
    self.children = children
    self.reportDangling = reportDangling
    self.addOrigins = addOrigins
    self.write = write
    self.count = count
  }
}

/// The IDs of the entities at the top level, without duplicates.
@usableFromInline
final class RootIDs<ID> {
  @usableFromInline var ids: [ID] = []

  @usableFromInline
  init() {}
}

/// The tables with the children of one table.
///
/// A member contains children if the parent's type does not decode it, it has the name of a table,
/// and exactly one relationship leads from that table to the parent.
@usableFromInline
final class ChildTables {
  /// Reads the child at a node.
  @usableFromInline
  typealias ReadChild = (Int, ChildParent, DecodingRun) throws -> Void

  struct Table {
    let name: String
    let links: [ParentLink]
    let read: ReadChild
  }

  /// The name of the parents' table.
  private let name: String
  private let context: TypedImportContext
  var tables: [Table] = []

  @usableFromInline
  init(_ name: String, _ context: TypedImportContext) {
    self.name = name
    self.context = context
  }

  /// Reads the members of a record that contain objects and were not decoded.
  @usableFromInline
  func read(_ record: Int, parent id: Any, _ idText: String, _ run: DecodingRun) {
    for member in run.undecodedMembers(of: record) {
      let memberName = run.text(member - 1)
      let table = tables.first { run.isSpelled(memberName, $0.name) }
      guard let table, let link = table.links.first else {
        ignore(member, memberName, isTable: table != nil, run)
        continue
      }
      guard table.links.count == 1 else {
        let names = table.links.map(\.name).joined(separator: " and ")
        context.problems.add(
          .typeMismatch, at: context.origin(of: member, run),
          "\(table.name) has \(table.links.count) relationships to \(name), \(names): it is "
            + "ambiguous which of them refers to the parent; import \(table.name) as a table of its own"
        )
        continue
      }
      let parent = ChildParent(id, idText, table: name, link)
      for child in run.elementsOrSelf(of: member) { read(child, table, parent, run) }
    }
  }

  private func read(_ node: Int, _ table: Table, _ parent: ChildParent, _ run: DecodingRun) {
    guard run.isObject(node) else {
      return context.problems.add(
        .typeMismatch, at: context.origin(of: node, run),
        "expected an object as a record of \(table.name), found "
          + run.tape.nodes[node].token.kindDescription)
    }
    do {
      try table.read(node, parent, run)
    } catch {
      // The problem has already been reported.
    }
  }

  private func ignore(_ member: Int, _ memberName: String, isTable: Bool, _ run: DecodingRun) {
    context.ignore("\(name).\(memberName)", at: context.origin(of: member, run)) {
      "\(memberName.quoted) of \(name) contains objects that are not imported"
        + (isTable
          ? "; no relationship of \(memberName) refers to \(name)"
          : Suggestion.sentence(for: memberName, among: tables.map(\.name)))
    }
  }
}

extension EntityIdentifier {
  /// The raw value in messages.
  @usableFromInline
  var debugText: String {
    if let text = raw as? String { return text.quoted }
    return String(describing: raw).excerpt()
  }
}
