import EntiaCoding
package import EntiaDatabase

/// Decodes batches of the log into change sets. A change set contains one batch, or several
/// consecutive batches. Entries of parts that the storage does not have are ignored.
///
/// Batches are combined only if the combination leads to the same database, including the order of
/// its rows. Combined batches contain only changes of rows. If several of them change a row, the
/// old row of each later change is the new row of the change before.
package struct ChangeDecoding<Storage: NormalizedStorageType> {
  /// A change set, the version that its first batch produced, and the version that its last batch
  /// produced.
  package typealias Decoded = (first: Int64, last: Int64, changes: StorageChangeSet<Storage>)

  private let space: String
  private let text = FormText()
  private let decodings: [any EntryDecoding<Storage>]
  private var entries: [LoggedEntries]
  private let indexes: [String: Int]
  /// The part of the entry that was added last: the node of its name, and the index of its
  /// decoding.
  private var lastPart: (node: Int, index: Int?)?

  package init(_ parts: SpaceParts<Storage>) {
    space = parts.space
    let (space, text) = (space, text)
    var visitor = PartDecodings(parts: parts)
    Storage.Contents.visitParts(&visitor)
    decodings = visitor.decodings.map(\.decoding)
    entries = visitor.decodings.map { LoggedEntries(space: space, part: $0.part, text: text) }
    indexes = Dictionary(
      visitor.decodings.enumerated().map { ($1.part, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds all or some entries of a batch. Batches must be added by ascending versions.
  /// - Throws: `SharedDatabaseError.cannotDecode` if an entry is malformed. Rows are decoded later.
  package mutating func add(_ changes: UnsafeBufferPointer<UInt8>, of version: Int64) throws {
    let root: Int
    do throws(JSONError) {
      root = try text.append(changes)
    } catch {
      throw LoggedEntries.malformed(error.message, space: space, version)
    }
    guard text.nodes[root].token == .beginArray else {
      throw LoggedEntries.malformed("the changes are no array", space: space, version)
    }
    var node = root + 1
    while node < text.nodes[root].next {
      let count = text.count(node)
      guard let count, count >= 2, text.nodes[node + 1].token == .string,
        text.nodes[node + 2].token == .string
      else {
        throw LoggedEntries.malformed(
          "an entry is no array of a kind and a part", space: space, version)
      }
      if lastPart.map({ text.isSame($0.node, node + 2) }) != true {
        lastPart = (node + 2, indexes[text.rawString(node + 2)])
      }
      if let index = lastPart?.index {
        entries[index].append(LoggedEntry(version: version, kind: node + 1, count: count - 2))
      }
      node = text.nodes[node].next
    }
  }

  /// Returns the changes of one batch.
  /// - Throws: `SharedDatabaseError.cannotDecode`, which names the version.
  static func changes(
    of entries: [JSONValue], _ version: Int64, _ parts: SpaceParts<Storage>
  ) throws -> StorageChangeSet<Storage> {
    var decoding = Self(parts)
    try JSONValue.array(entries).bytes().withUnsafeBufferPointer { bytes in
      try decoding.add(bytes, of: version)
    }
    let decoded = try decoding.changes(of: version...version, combining: false)
    return decoded.first?.changes ?? StorageChangeSet()
  }

  /// Decodes the changes between two versions.
  /// - Parameters:
  ///   - versions: The versions of the batches.
  ///   - combines: Whether batches may be combined.
  /// - Throws: `SharedDatabaseError.cannotDecode`.
  package func changes(
    of versions: ClosedRange<Int64>, combining combines: Bool
  ) throws -> [Decoded] {
    let combines = combines && versions.count > 1
    var breaks: Set<Int64> = []
    let changed = decodings.indices.filter { !entries[$0].entries.isEmpty }
    for index in changed {
      try decodings[index].decode(entries[index], combining: combines, breaks: &breaks)
    }
    var result: [Decoded] = []
    var first = versions.lowerBound
    for version in versions {
      guard !combines || version == versions.upperBound || breaks.contains(version + 1) else {
        continue
      }
      var changes = StorageChangeSet<Storage>()
      for index in changed { decodings[index].move(through: version, to: &changes) }
      result.append((first, version, changes))
      first = version + 1
    }
    return result
  }
}

protocol EntryDecoding<Storage>: AnyObject {
  associatedtype Storage: NormalizedStorageType

  /// Decodes entries.
  /// - Parameters:
  ///   - entries: The entries of all batches.
  ///   - combines: Whether batches may be combined.
  ///   - breaks: Receives the versions whose batches cannot be combined with earlier batches.
  /// - Throws: `SharedDatabaseError.cannotDecode`.
  func decode(
    _ entries: LoggedEntries, combining combines: Bool, breaks: inout Set<Int64>
  ) throws
  /// Moves the changes of all batches up to and including a version into a change set.
  func move(through version: Int64, to changes: inout StorageChangeSet<Storage>)
}

private struct PartDecodings<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let parts: SpaceParts<Storage>
  var decodings: [(part: String, decoding: any EntryDecoding<Storage>)] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard let rows = parts.coding(of: name, Table.Entity.self) else { return }
    decodings.append((name, TableDecoding<Storage, Table.Entity>(rows)))
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard let ids = parts.coding(of: name, IDs.Entity.EntityID.self) else { return }
    let decoding = SetDecoding<Storage> { entry, entries in
      guard entries.kind(of: entry) == "held", entry.count >= 2 else {
        throw entries.unknown(entry)
      }
      var (old, new) = (IDs(), IDs())
      let nodes = (entries.value(0, of: entry), entries.value(1, of: entry))
      for id in try entries.decodeAll(nodes.0, of: entry, ids) { old.insert(id) }
      for id in try entries.decodeAll(nodes.1, of: entry, ids) { new.insert(id) }
      let changes = HeldIDsChanges(from: old, to: new)
      return { $0.setChanges(changes, ofHeldIDs: name) }
    }
    decodings.append((name, decoding))
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias Reference = StorageChangeSet<Storage>.MissingReference<Relationship>
    let decoding = SetDecoding<Storage> { entry, entries in
      guard entries.kind(of: entry) == "missing", entry.count >= 2 else {
        throw entries.unknown(entry)
      }
      let holders = try entries.ids(of: Relationship.Holder.self)
      let targets = try entries.ids(of: Relationship.Target.self)
      func references(_ index: Int) throws -> [Reference] {
        try entries.array(entries.value(index, of: entry), of: entry).map { pair in
          let pair = try entries.array(pair, of: entry)
          guard pair.count == 2 else {
            throw entries.malformed("a reference is no pair of IDs", entry)
          }
          return (
            try entries.decode(pair[0], of: entry, holders),
            try entries.decode(pair[1], of: entry, targets)
          )
        }
      }
      let (old, new) = (try references(0), try references(1))
      return { $0.setMissingReferences(of: name, Relationship.self, old: old, new: new) }
    }
    decodings.append((name, decoding))
  }
}

/// Decodes the entries of a part that is not a table. A batch with such entries is not combined
/// with other batches.
private final class SetDecoding<Storage: NormalizedStorageType>: EntryDecoding {
  typealias Setter = (inout StorageChangeSet<Storage>) -> Void
  typealias Decode = (_ entry: LoggedEntry, _ entries: LoggedEntries) throws -> Setter

  private let decode: Decode
  /// The version and the changes of each entry, in the order of the log. `moved` is the number of
  /// entries that were moved to change sets.
  private var decoded: [(version: Int64, set: Setter)] = []
  private var moved = 0

  init(_ decode: @escaping Decode) { self.decode = decode }

  func decode(
    _ entries: LoggedEntries, combining combines: Bool, breaks: inout Set<Int64>
  ) throws {
    for entry in entries.entries {
      decoded.append((entry.version, try decode(entry, entries)))
      breaks.insert(entry.version)
      breaks.insert(entry.version + 1)
    }
  }

  func move(through version: Int64, to changes: inout StorageChangeSet<Storage>) {
    while moved < decoded.count, decoded[moved].version <= version {
      decoded[moved].set(&changes)
      moved += 1
    }
  }
}
