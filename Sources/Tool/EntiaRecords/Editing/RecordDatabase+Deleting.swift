import EntiaCoding
import EntiaDatabase
public import EntiaJSON

extension RecordDatabase {
  /// Returns the database without some rows.
  ///
  /// - Parameters:
  ///   - ids: The texts of the rows' IDs.
  ///   - name: The entity of the rows.
  ///   - nullifies: Whether references to the rows are removed. A to-one reference then becomes
  ///     `null`, and a list loses the ID. If `false`, a reference to the rows prevents the
  ///     deletion, because the reference would dangle.
  /// - Returns: The database without the rows, which are also removed from its result.
  /// - Throws: A ``DeletionProblem`` if a row does not exist or references would dangle.
  /// - Complexity: O(rows deleted + size of the rows that refer to them), plus sorting of those
  ///   rows, and O(result).
  public func deleting(
    _ ids: [String], of name: String, nullifies: Bool = false
  ) throws(DeletionProblem) -> RecordDatabase {
    let rows: [Record]
    let entity: Schema.Entity
    do throws(SelectionProblem) {
      entity = try knownEntity(name)
      rows = try self.rows(entity, ids: ids)
    } catch {
      throw .selection(error)
    }
    let deleted = Set(rows.map(\.id))
    let holders = self.holders(of: rows, besides: deleted)
    let references = holders.flatMap { self.references(of: $0, to: deleted) }
    let kept = nullifies ? references.filter(isPartOfID) : references
    if !kept.isEmpty { throw .dangling(kept, canNullify: !nullifies) }
    var result = self
    do {
      try result.storage.performBatchUpdates { context in
        for id in deleted { context.modifying.records.remove(Record.EntityID(id)) }
        for holder in holders {
          context.modifying.records.insert(holder.removingReferences(to: deleted))
        }
      }
    } catch {
      throw .refused("\(error)")
    }
    let exact = ExactString(entity.name)
    let keys = Set(rows.map(\.id.key))
    result.resultKeys[exact]?.removeAll(where: keys.contains)
    if result.resultKeys[exact]?.isEmpty == true { result.resultKeys[exact] = nil }
    return result
  }

  /// Returns the rows outside `deleted` that refer to `rows`, without duplicates, sorted by ID.
  private func holders(of rows: [Record], besides deleted: Set<RecordID>) -> [Record] {
    var holders: Set<RecordID> = []
    for row in rows { holders.formUnion(self.holders(of: row.id)) }
    return holders.subtracting(deleted).sorted().compactMap(record)
  }

  private func references(
    of holder: Record, to deleted: Set<RecordID>
  ) -> [DeletionProblem.Reference] {
    holder.members.flatMap { (name, value) in
      value.targets.filter(deleted.contains).map {
        DeletionProblem.Reference(holder: holder.id, member: name, target: $0)
      }
    }
  }

  /// Returns whether the holder's own ID contains the reference, which then cannot be removed.
  private func isPartOfID(_ reference: DeletionProblem.Reference) -> Bool {
    guard let entity = schema.entity(reference.holder.entity), entity.hasCompositeID else {
      return false
    }
    return entity.idNames.contains { $0.isExactly(reference.member) }
  }
}

extension Record {
  /// Returns the row without its references to some rows.
  fileprivate func removingReferences(to deleted: Set<RecordID>) -> Record {
    let values = values.map { value -> RecordValue in
      switch value {
      case .plain: value
      case .reference(let id): deleted.contains(id) ? .null : value
      case .references(let ids): .references(ids.filter { !deleted.contains($0) })
      }
    }
    return with(values)
  }
}

/// The reason why rows cannot be deleted.
public enum DeletionProblem: Error, Hashable, Sendable {
  /// A reference that would dangle.
  public struct Reference: Hashable, Sendable {
    /// The row with the reference.
    public let holder: RecordID
    /// The member with the reference.
    public let member: String
    /// The target of the reference.
    public let target: RecordID
  }

  /// The rows to delete are not in the database.
  case selection(SelectionProblem)
  /// The references would dangle. If `canNullify` is false, the references are parts of their
  /// holders' IDs and cannot be removed.
  case dangling([Reference], canNullify: Bool)
  /// A rule of the storage refuses the deletion.
  case refused(String)
}

extension DeletionProblem: CustomStringConvertible {
  /// The messages, one on each line.
  public var description: String { messages(limit: .max).joined(separator: "\n") }

  /// Returns messages that describe the problem.
  ///
  /// - Parameter limit: The maximum number of references to list; the others are counted.
  /// - Returns: The messages.
  package func messages(limit: Int) -> [String] {
    switch self {
    case .selection(let problem): return [problem.description]
    case .refused(let reason): return ["the database refuses the deletion: \(reason)"]
    case .dangling(let references, let canNullify):
      let ending = canNullify ? "" : ", which is a part of the ID of that row"
      var messages = references.prefix(limit).map {
        "\($0.member.quoted) of \($0.holder) refers to \($0.target)" + ending
      }
      let more = references.count - messages.count
      if more > 0 { messages.append("and \(more) more \(more == 1 ? "reference" : "references")") }
      return messages
    }
  }
}

/// The reason why a row cannot be patched.
public enum PatchProblem: Error, Hashable, Sendable {
  /// The row does not exist.
  case selection(SelectionProblem)
  /// The patch is invalid for the row.
  case invalid([ImportProblem])
}

extension PatchProblem: CustomStringConvertible {
  /// The messages, one on each line.
  public var description: String { messages.joined(separator: "\n") }

  /// The messages that describe the problem.
  package var messages: [String] {
    switch self {
    case .selection(let problem): [problem.description]
    case .invalid(let problems):
      problems.map { "\($0.file): \($0.path): \($0.message)" }
    }
  }
}
