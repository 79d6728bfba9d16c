import EntiaCoding
import EntiaCollections
import EntiaDatabase

/// Finds the parts and members that a batch of an outbox has and this program does not have.
///
/// In batches of the log, such parts and members are ignored, because programs with other schemas
/// write to the log. In a batch of an outbox, they would be lost, because the batch would be pushed
/// without them.
struct KnownMembers<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  private let parts: SpaceParts<Storage>
  /// The written rows of each part.
  private let rows: [String: [JSONValue]]
  private var names: Set<String> = []
  private var failure: (any Error)?

  /// Checks that this program has the parts and members in the entries of a batch. The rows of the
  /// batch must be decodable.
  /// - Throws: `SharedDatabaseError.cannotDecode` with the unknown part, or with the unknown member
  ///   and its part.
  static func check(_ entries: [JSONValue], _ parts: SpaceParts<Storage>) throws {
    var names: [String] = []
    var rows: [String: [JSONValue]] = [:]
    for entry in entries {
      guard case .array(let values) = entry, values.count > 2, case .string(let kind) = values[0],
        case .string(let part) = values[1]
      else { continue }
      names.append(part)
      if ["insert", "update", "replace"].contains(kind) {
        rows[part, default: []].append(values[2])
      }
    }
    var search = KnownMembers(parts: parts, rows: rows)
    Contents.visitParts(&search)
    if let failure = search.failure { throw failure }
    for part in names where !search.names.contains(part) {
      throw search.unknown(part, column: nil, "this program has no part of this name")
    }
  }

  private init(parts: SpaceParts<Storage>, rows: [String: [JSONValue]]) {
    (self.parts, self.rows) = (parts, rows)
  }

  private func unknown(_ part: String, column: String?, _ reason: String) -> SharedDatabaseError {
    .cannotDecode(space: parts.space, entity: part, row: "", column: column, reason: reason)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    names.insert(name)
  }

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) { names.insert(name) }

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    names.insert(name)
    guard failure == nil, let coding = parts.coding(of: name, Table.Entity.self) else { return }
    var known: Set<[String]> = []
    do {
      for row in rows[name] ?? [] {
        guard let member = try unknownMember(of: row, coding, &known) else { continue }
        failure = unknown(
          name, column: member.joined(separator: "."), "this program has no member of this name")
        return
      }
    } catch {
      failure = error
    }
  }

  /// Returns the path of a member of the row that this program neither writes nor reads; `nil` if
  /// there is none.
  /// - Parameter known: The paths of members that this program reads but does not write, such as
  ///   old names. New paths are added.
  private func unknownMember<Entity: EntityType>(
    of row: JSONValue, _ coding: PartCoding<Entity>, _ known: inout Set<[String]>
  ) throws -> [String]? {
    let decoded = try coding.decode(try FormText(row), 0)
    // Pairs of values to compare: of the row, and of the row that this program would write.
    // `places` are the indexes that lead to a value, and `path` has the names of the members.
    var open = [
      (stored: row, written: try coding.encode(decoded), places: [Int](), path: [String]())
    ]
    while let (stored, written, places, path) = open.popLast() {
      switch (stored, written) {
      case (.array(let elements), .array(let others)) where elements.count == others.count:
        for (place, pair) in zip(elements, others).enumerated() {
          open.append((pair.0, pair.1, places + [place], path))
        }
      case (.object(let members), .object(let others)):
        let values = Dictionary(
          others.map { (ExactString($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
        for (place, member) in members.enumerated() {
          let memberPath = path + [JSONTextForm.name(of: member.name)]
          if let value = values[ExactString(member.name)] {
            open.append((member.value, value, places + [place], memberPath))
          } else if !known.contains(memberPath) {
            let other = Self.replacing(row, at: places + [place])
            guard try Self.differs(other, from: decoded, coding) else { return memberPath }
            known.insert(memberPath)
          }
        }
      default: break
      }
    }
    return nil
  }

  /// Returns whether a row decodes to a row other than `decoded`, or cannot be decoded.
  private static func differs<Entity: EntityType>(
    _ row: JSONValue, from decoded: Entity, _ coding: PartCoding<Entity>
  ) throws -> Bool {
    let text = try FormText(row)
    do {
      return !haveSameValue(try coding.decode(text, 0), decoded)
    } catch {
      // The row cannot be decoded, so this program reads the replaced member.
      return true
    }
  }

  /// Returns a row with another value at `places`. The value is nested arrays, which no member can
  /// decode.
  private static func replacing(_ row: JSONValue, at places: [Int]) -> JSONValue {
    var containers: [JSONValue] = []
    var value = row
    for place in places {
      containers.append(value)
      switch value {
      case .array(let elements): value = elements[place]
      case .object(let members): value = members[place].value
      default: break
      }
    }
    var result = JSONValue.array([.array([.array([.object([])])])])
    for (container, place) in zip(containers, places).reversed() {
      switch container {
      case .array(var elements):
        elements[place] = result
        result = .array(elements)
      case .object(var members):
        members[place] = JSONValue.Member(members[place].name, result)
        result = .object(members)
      default: break
      }
    }
    return result
  }
}
