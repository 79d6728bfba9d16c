import EntiaCollections
package import EntiaDatabase

/// The parts of a storage that are shared: tables, and IDs that the user holds.
package struct SpaceParts<Storage: NormalizedStorageType>: HeldIDsVisitor {
  package typealias Contents = Storage.Contents

  /// The name of the space, for messages.
  package let space: String
  /// The coding of the elements of each part, by the part's name.
  private var codings: [String: any Sendable] = [:]
  /// A text with a line for each part and rule. Storages with different fingerprints cannot share a
  /// space.
  package private(set) var fingerprint = ""
  private var failure: SharedDatabaseError?

  /// Creates the parts.
  /// - Throws: `SharedDatabaseError.notCodable`.
  package init(space: String) throws(SharedDatabaseError) {
    self.space = space
    Contents.visitParts(&self)
    if let failure { throw failure }
    let schema = Storage.schema
    let lines =
      fingerprint.split(separator: "\n").map(String.init)
      + schema.relationships.map { "relationship \($0)" }
      + schema.indexes.filter { $0.kind == "Unique" }.map { "index \($0)" }
      + schema.checks.map { "check \($0)" }
    fingerprint = lines.joined(separator: "\n")
  }

  package mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let kind = Table.isOrdered ? "ordered table" : "table"
    fingerprint += "\(kind) \(name), ID \(Table.Entity.EntityIDRawType.self)\n"
    do {
      codings[name] = PartCodingBox(coding: try PartCoding<Table.Entity>.rows())
    } catch {
      note(error, of: name)
    }
  }

  package mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    fingerprint += "held IDs \(name) of \(IDs.Entity.entityName)\n"
    do {
      codings[name] = PartCodingBox(
        coding: try PartCoding<IDs.Entity.EntityID>.ids(of: IDs.Entity.self))
    } catch {
      note(error, of: name)
    }
  }

  private mutating func note(_ error: UncodablePart, of part: String) {
    if failure == nil { failure = .notCodable(space: space, entity: part, type: error.type) }
  }

  /// Returns the coding of a part.
  package func coding<Element>(of part: String, _ element: Element.Type) -> PartCoding<Element>? {
    (codings[part] as? PartCodingBox<Element>)?.coding
  }

  /// Whether the storage has a part.
  func contains(_ part: String) -> Bool { codings[part] != nil }

  /// Returns the reason why a space with another fingerprint cannot be used.
  package func difference(from other: String) -> String {
    let (mine, theirs) = (Self.lines(fingerprint), Self.lines(other))
    let missing = theirs.filter { !mine.contains($0) }
    let extra = mine.filter { !theirs.contains($0) }
    let parts = [("the space has", missing), ("this program has", extra)].compactMap {
      $1.isEmpty ? nil : "\($0) \($1.map { "'\($0)'" }.joined(separator: ", "))"
    }
    return parts.isEmpty ? "their parts have another order" : parts.joined(separator: "; ")
  }

  private static func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
}

/// A coding, for a dictionary of codings of several types.
///
/// Sendable although the closures of the coding are not: they capture nothing but types.
private struct PartCodingBox<Element>: @unchecked Sendable {
  let coding: PartCoding<Element>
}
