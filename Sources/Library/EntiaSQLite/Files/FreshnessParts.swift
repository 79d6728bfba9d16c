import EntiaDatabase

/// A part of a storage that records how rows were received. Its table in the file contains no rows
/// of entities.
package struct FreshnessPart: Hashable, Sendable {
  /// The contents of a part.
  package enum Kind: String, Sendable {
    /// The IDs of rows, each with a time.
    case ages
    /// Requests, each with its answer.
    case answers
  }

  /// The contents of the part.
  package let kind: Kind
  /// The name of the part.
  package let name: String
  /// The name of the part with the received rows.
  package let rows: String

  /// The line that describes the part in the entry of `entia_file`. Names of parts contain no tabs.
  fileprivate var line: String { "\(kind.rawValue)\t\(name)\t\(rows)" }

  fileprivate init?(line: Substring) {
    let fields = line.split(separator: "\t").map(String.init)
    guard fields.count == 3, let kind = Kind(rawValue: fields[0]) else { return nil }
    (self.kind, name, rows) = (kind, fields[1], fields[2])
  }

  init(kind: Kind, name: String, rows: String) {
    (self.kind, self.name, self.rows) = (kind, name, rows)
  }
}

/// Finds the parts of a storage that record how rows were received.
struct FreshnessPartsSearch<Contents: StorageContents>: FreshnessVisitor {
  private var tables: [ObjectIdentifier: String] = [:]
  private var found: [(kind: FreshnessPart.Kind, name: String, entity: ObjectIdentifier)] = []

  init() { Contents.visitParts(&self) }

  var parts: [FreshnessPart] {
    found.compactMap { part in
      tables[part.entity].map { FreshnessPart(kind: part.kind, name: part.name, rows: $0) }
    }
  }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    tables[ObjectIdentifier(Table.Entity.self)] = name
  }

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    let kind: FreshnessPart.Kind = Index.self is any AgeIndex.Type ? .ages : .answers
    found.append((kind, name, ObjectIdentifier(Index.Entity.self)))
  }
}

// The entry in `entia_file` that lists the parts of a storage.
extension SQLiteConnection {
  private static func freshnessKey(of storage: String) -> String {
    storage.isEmpty ? "freshness" : "freshness of \(storage)"
  }

  /// Returns the parts that record how rows were received, including parts that an earlier version
  /// of the program had and this version does not have.
  /// - Throws: `SQLiteFailure`.
  package func freshnessParts(of storage: String) throws(SQLiteFailure) -> [FreshnessPart] {
    guard case .text(let text) = try entry(Self.freshnessKey(of: storage)) else { return [] }
    return text.split(separator: "\n").compactMap { FreshnessPart(line: $0) }
  }

  /// Records parts, in addition to the parts that the file has already recorded.
  /// - Throws: `SQLiteFailure`.
  func addFreshnessParts(
    _ parts: [FreshnessPart], of storage: String
  ) throws(SQLiteFailure) {
    if parts.isEmpty { return }
    let known = try freshnessParts(of: storage)
    let names = Set(parts.map(\.name))
    try record(parts + known.filter { !names.contains($0.name) }, of: storage, instead: known)
  }

  /// Renames a part in the list of the file, or removes it from the list.
  /// - Parameter newPart: The new name; `nil` to remove the part.
  /// - Throws: `SQLiteFailure`.
  func renameFreshnessPart(
    _ part: String, to newPart: String?, of storage: String
  ) throws(SQLiteFailure) {
    let known = try freshnessParts(of: storage)
    let renamed = known.compactMap { fresh in
      (fresh.name == part ? newPart : fresh.name).map { name in
        FreshnessPart(
          kind: fresh.kind, name: name,
          rows: fresh.rows == part ? newPart ?? fresh.rows : fresh.rows)
      }
    }
    try record(renamed, of: storage, instead: known)
  }

  private func record(
    _ parts: [FreshnessPart], of storage: String, instead known: [FreshnessPart]
  ) throws(SQLiteFailure) {
    let lines = parts.map(\.line).sorted()
    if lines == known.map(\.line) { return }
    try setEntry(Self.freshnessKey(of: storage), .text(lines.joined(separator: "\n")))
  }
}
