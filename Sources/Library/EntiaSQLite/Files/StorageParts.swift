import EntiaCollections
import EntiaDatabase

/// The parts of a storage that are stored: tables, and IDs that the user holds.
struct StorageParts<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  /// The coding of the elements of each part, by the part's name.
  private(set) var codings: [String: Any] = [:]
  /// The first part that cannot be encoded.
  private(set) var failure: (part: String, type: String)?
  /// A text that differs between storages with other parts.
  private(set) var fingerprint = ""

  init() { Contents.visitParts(&self) }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    fingerprint += "\(Table.isOrdered ? "ordered" : "table") \(name)\n"
    do {
      codings[name] = CodingBox(coding: try rowCoding(of: Table.Entity.self))
    } catch {
      note(error, of: name)
    }
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    fingerprint += "ids \(name)\n"
    do {
      codings[name] = CodingBox(
        coding: try idCoding(of: IDs.Entity.self))
    } catch {
      note(error, of: name)
    }
  }

  private mutating func note(_ error: NotCodable, of part: String) {
    if failure == nil { failure = (part, error.type) }
  }

  /// Returns the parts that a fingerprint names, and whether they hold IDs alone.
  static func heldParts(in fingerprint: String) -> [String: Bool] {
    let lines = fingerprint.split(separator: "\n").map { line in
      line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    }
    return Dictionary(
      lines.filter { $0.count == 2 }.map { (String($0[1]), $0[0] == "ids") },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the coding of a part.
  func coding<Element>(of part: String, _ element: Element.Type) -> (any ElementCoding<Element>)? {
    (codings[part] as? CodingBox<Element>)?.coding
  }
}

/// A coding, for a dictionary of codings of several types.
private struct CodingBox<Element> {
  let coding: any ElementCoding<Element>
}
