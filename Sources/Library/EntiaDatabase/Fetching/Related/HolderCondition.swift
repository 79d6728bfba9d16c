/// A condition on the entities that reference a row.
struct HolderCondition<Relationship: RelationshipType>: RelatedCondition {
  typealias Entity = Relationship.Target

  let path: StoragePath<Relationship>
  let related: FetchDescriptor<Relationship.Holder>
  let quantifier: JoinQuantifier

  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Relationship.Target>? {
    guard let relationship = path.part(in: storage),
      let rows = RelatedRows(related, in: storage, counter),
      let targetCount = storage.snapshot.table(of: Relationship.Target.self)?.count
    else { return nil }
    let name = StoragePath.name(of: relationship, in: storage.snapshot.contents)
    let found = quantifier.requiresMatch ? rows.candidates : nil
    let candidates = found.map { holders in
      RowCandidates<Relationship.Target>(
        count: rows.estimate(holders.count, of: targetCount), names: holders.names + [name],
        access: "\(holders.access) through \(name)", hasRepeats: true
      ) { body in
        rows.visit(holders) { relationship.targetIDs(of: $0).allSatisfy(body) }
      }
    }
    let links = relationship.linkMap
    return PreparedCondition(
      accepts: { row in
        let target = row.assumingMemoryBound(to: Relationship.Target.self).pointee.entityID
        let count = relationship.holderCount(of: target)
        // Every holder is a row, and is among the holders once.
        if !rows.areFiltered { return quantifier.range.contains(count) }
        return quantifier.accepts(count, in: rows) { body in
          if let links { return links.visitHolders(of: target, body) }
          for id in relationship.holderIDs(of: target) where !body(id) { return }
        }
      }, candidates: candidates, interpreted: rows.interpreted)
  }

  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Relationship.Target.EntityID] {
    guard let relationship = path.part(in: new) else { return [] }
    var rows: [Relationship.Holder] = []
    let type = ObjectIdentifier(Relationship.Holder.self)
    if let holders = changes[type] as? TableChanges<Relationship.Holder> {
      rows += holders.inserted + holders.removed + holders.updated.flatMap { [$0.old, $0.new] }
    }
    // An unchanged holder references the same entities in both versions, so one version of the
    // holder is enough.
    for id in related.affectedIDs(by: changes, from: old, to: new) {
      if let row = new.row(of: id) ?? old.row(of: id) { rows.append(row) }
    }
    return rows.flatMap { relationship.targetIDs(of: $0) }
  }

  func roots<Storage: NormalizedStorageType>(
    deciding ids: [Relationship.Target.EntityID], in storage: Storage
  ) -> [CollectionRoot] {
    guard let relationship = path.part(in: storage) else { return [] }
    return quantifier.roots(of: related, in: storage) { holder in
      !relationship.targetIDs(of: holder).isEmpty
    } accepted: {
      ids.flatMap { relationship.holderIDs(of: $0) }
    }
  }
}

/// The rows of a related entity type, and the conditions on them.
struct RelatedRows<Entity: EntityType> {
  private let plan: FetchPlan<Entity>
  private let counter: FetchCounter

  /// The rows that an index finds; `nil` when a scan costs less or no index can be used.
  var candidates: RowCandidates<Entity>? { plan.candidates }

  /// The kinds of expressions that cannot be compiled and are left to Foundation's `evaluate`.
  let interpreted: [String]

  init?<Storage: NormalizedStorageType>(
    _ descriptor: FetchDescriptor<Entity>, in storage: Storage, _ counter: FetchCounter
  ) {
    guard let plan = FetchPlan(descriptor, in: storage, usingIndexes: true, counter) else {
      return nil
    }
    self.plan = plan
    self.counter = counter
    interpreted = plan.interpreted
  }

  /// Whether there are conditions.
  var areFiltered: Bool { plan.search != nil || !plan.filter.isEmpty }

  /// Whether a row satisfies the conditions; `nil` when no row has the ID.
  func accepts(_ id: Entity.EntityID) -> Bool? {
    plan.table.row(of: id).map { accepts($0.row) }
  }

  /// Calls the closure with the candidates that satisfy the conditions, until the closure returns
  /// `false`.
  func visit(_ candidates: RowCandidates<Entity>, _ body: (Entity) -> Bool) {
    candidates.visit { id in
      guard let found = plan.table.row(of: id), accepts(found.row) else { return true }
      return body(found.row.assumingMemoryBound(to: Entity.self).pointee)
    }
  }

  /// Returns an estimate of how many of `rows` rows are related to `count` rows of this table.
  func estimate(_ count: Int, of rows: Int) -> Int {
    guard plan.table.count > 0 else { return 0 }
    let (product, overflow) = rows.multipliedReportingOverflow(by: count)
    return overflow ? rows : min(rows, (product + plan.table.count - 1) / plan.table.count)
  }

  private func accepts(_ row: UnsafeRawPointer) -> Bool {
    counter.work.relatedRowsExamined += 1
    if let search = plan.search,
      !search.contains(row.assumingMemoryBound(to: Entity.self).pointee.entityID)
    {
      return false
    }
    return plan.filter.accepts(row)
  }
}

/// The number of related entities that must match the condition of a join.
///
/// ```swift
/// FetchDescriptor<Author>()
///   .joining(inverse: \Library.bookAuthor, #Predicate { $0.year > 1999 }, matching: .all)
/// FetchDescriptor<Author>().joining(inverse: \Library.bookAuthor, matching: .atLeast(3))
/// ```
///
/// Each entity counts once, even if a key references it several times. IDs of missing entities do
/// not count.
public struct JoinQuantifier: Hashable, Sendable, CustomStringConvertible {
  /// The numbers of matches that are accepted.
  let range: ClosedRange<Int>
  /// Whether every related entity must match.
  let isUniversal: Bool

  /// At least one related entity matches.
  public static let any = Self(range: 1...Int.max)
  /// No related entity matches. An entity without related entities is accepted.
  public static let none = Self(range: 0...0)
  /// Every related entity matches. An entity without related entities is accepted.
  public static let all = Self(range: 0...Int.max, isUniversal: true)

  /// Returns a quantifier that requires at least a number of matches.
  /// - Parameter count: The least number; a negative one counts as 0.
  public static func atLeast(_ count: Int) -> Self { Self(range: max(0, count)...Int.max) }

  /// Returns a quantifier that allows at most a number of matches.
  /// - Parameter count: The greatest number; a negative one counts as 0.
  public static func atMost(_ count: Int) -> Self { Self(range: 0...max(0, count)) }

  /// Returns a quantifier that requires an exact number of matches.
  /// - Parameter count: The number; a negative one counts as 0.
  public static func exactly(_ count: Int) -> Self { Self(range: max(0, count)...max(0, count)) }

  private init(range: ClosedRange<Int>, isUniversal: Bool = false) {
    self.range = range
    self.isUniversal = isUniversal
  }

  /// Whether an entity without a match is rejected, so that every accepted entity is related to a
  /// match.
  var requiresMatch: Bool { range.lowerBound > 0 }

  /// Whether several matches may have to be counted, each only once.
  var isCounting: Bool { range.lowerBound > 1 || range.upperBound > 0 && range.upperBound < .max }

  /// Whether the related entities satisfy the quantifier. Entities are examined until the result is
  /// decided. IDs of missing entities do not count.
  /// - Parameters:
  ///   - count: The number of related entities, or a greater number.
  ///   - rows: The rows of the related entities.
  ///   - visit: Calls a closure with different IDs until the closure returns `false`.
  func accepts<Entity: EntityType>(
    _ count: Int, in rows: RelatedRows<Entity>,
    _ visit: (_ body: (Entity.EntityID) -> Bool) -> Void
  ) -> Bool {
    if isUniversal {
      var areMatches = true
      visit {
        areMatches = rows.accepts($0) != false
        return areMatches
      }
      return areMatches
    }
    var (matches, rest) = (0, count)
    // Between `matches` and `matches + rest` entities match.
    func isDecided() -> Bool {
      matches > range.upperBound || matches + rest < range.lowerBound
        || matches >= range.lowerBound && matches + rest <= range.upperBound
    }
    if !isDecided() {
      visit { id in
        rest -= 1
        if rows.accepts(id) == true { matches += 1 }
        return !isDecided()
      }
    }
    return range.contains(matches)
  }

  /// The quantifier in words.
  public var description: String {
    if isUniversal { return "all" }
    switch (range.lowerBound, range.upperBound) {
    case (1, .max): return "any"
    case (0, 0): return "none"
    case (let least, .max): return "at least \(least)"
    case (0, let most): return "at most \(most)"
    case (let count, _): return "exactly \(count)"
    }
  }
}

/// A condition on the entities that a row references.
struct TargetCondition<Relationship: RelationshipType>: RelatedCondition {
  typealias Entity = Relationship.Holder

  let path: StoragePath<Relationship>
  let related: FetchDescriptor<Relationship.Target>
  let quantifier: JoinQuantifier

  func prepare<Storage: NormalizedStorageType>(
    in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Relationship.Holder>? {
    guard let relationship = path.part(in: storage),
      let rows = RelatedRows(related, in: storage, counter),
      let holderCount = storage.snapshot.table(of: Relationship.Holder.self)?.count
    else { return nil }
    let name = StoragePath.name(of: relationship, in: storage.snapshot.contents)
    let found = quantifier.requiresMatch ? rows.candidates : nil
    let candidates = found.map { targets in
      RowCandidates<Relationship.Holder>(
        count: rows.estimate(targets.count, of: holderCount), names: targets.names + [name],
        access: "\(targets.access) through \(name)", hasRepeats: true
      ) { body in
        rows.visit(targets) { target in
          relationship.holderIDs(of: target.entityID).allSatisfy(body)
        }
      }
    }
    return PreparedCondition(
      accepts: { row in
        let holder = row.assumingMemoryBound(to: Relationship.Holder.self)
        let ids = relationship.targetIDs(of: holder.pointee)
        return quantifier.accepts(ids.count, in: rows) { body in
          var seen: Set<Relationship.Target.EntityID> = []
          for id in ids where !quantifier.isCounting || seen.insert(id).inserted {
            if !body(id) { return }
          }
        }
      }, candidates: candidates, interpreted: rows.interpreted)
  }

  func affectedIDs<Storage: NormalizedStorageType>(
    by changes: [ObjectIdentifier: any AnyTableChanges], from old: Storage, to new: Storage
  ) -> [Relationship.Holder.EntityID] {
    guard let before = path.part(in: old), let after = path.part(in: new) else {
      return []
    }
    var ids = related.affectedIDs(by: changes, from: old, to: new)
    let type = ObjectIdentifier(Relationship.Target.self)
    if let targets = changes[type] as? TableChanges<Relationship.Target> {
      ids += targets.changedIDs
    }
    return ids.flatMap { before.holderIDs(of: $0) + after.holderIDs(of: $0) }
  }

  func roots<Storage: NormalizedStorageType>(
    deciding ids: [Relationship.Holder.EntityID], in storage: Storage
  ) -> [CollectionRoot] {
    guard let relationship = path.part(in: storage) else { return [] }
    return quantifier.roots(of: related, in: storage) { target in
      relationship.isReferenced(target.entityID)
    } accepted: {
      ids.flatMap { id in storage.row(of: id).map { relationship.targetIDs(of: $0) } ?? [] }
    }
  }
}

extension JoinQuantifier {
  /// Returns roots that keep the related rows on which a condition of a join depends. The related
  /// rows have the type `Entity`; the condition applies to rows of another type, the joined rows.
  /// - Parameters:
  ///   - related: The conditions on the related rows.
  ///   - storage: The database.
  ///   - isRelated: Returns whether a row of the type `Entity` is related to any joined row.
  ///   - accepted: For all joined rows that the condition accepts, returns the IDs of their related
  ///     rows.
  fileprivate func roots<Entity: EntityType, Storage: NormalizedStorageType>(
    of related: FetchDescriptor<Entity>, in storage: Storage,
    isRelated: (Entity) -> Bool, accepted: () -> [Entity.EntityID]
  ) -> [CollectionRoot] {
    let ids: [Entity.EntityID]
    if isUniversal {
      // Each related row that does not match may exclude a row from the result.
      ids = storage.fetch(FetchDescriptor<Entity>()).filter(isRelated).map { $0.entityID }
    } else if range.upperBound < .max {
      // A row with too many matches is not in the result. Each match is kept, because its removal
      // may bring such a row into the result.
      ids = storage.fetch(related).filter(isRelated).map { $0.entityID }
    } else {
      ids = accepted()
    }
    return [.entities(ids)] + related.roots(deciding: ids, in: storage)
  }
}
