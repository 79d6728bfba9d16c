extension NormalizedStorageType {
  /// Returns the entities that a description asks for.
  ///
  /// ```swift
  /// library.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.year > 1999 }))
  /// ```
  ///
  /// Fetching entities of which the database has no table stops the program with a message.
  ///
  /// - Complexity: O(result · log *n*) where an index finds all of them, and O(*n*) otherwise; with a
  ///   sort that no index has, O(log *k*) for each that matches and *k* that are kept.
  @inlinable
  public func fetch<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> [Entity] {
    var work = FetchWork()
    return fetch(descriptor, work: &work)
  }

  /// Returns the entities that a description asks for, and counts what that took.
  /// - Parameter work: is added to.
  /// - Complexity: as `fetch`.
  @inlinable
  public func fetch<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, work: inout FetchWork
  ) -> [Entity] {
    if let sort = descriptor.plainSort {
      let limit = descriptor.fetchLimit ?? .max
      if limit <= 0 { return [] }
      var search = SortedFetch<Contents, Entity>(
        snapshot, sort, offset: max(0, descriptor.fetchOffset ?? 0), limit: limit)
      Contents.visitParts(&search)
      if let result = search.result {
        work.rowsExamined += result.count
        work.rowsReturned += result.count
        return result
      }
    }
    return planned(descriptor, work: &work)
  }

  @usableFromInline
  func planned<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, work: inout FetchWork
  ) -> [Entity] {
    var result: [Entity] = []
    work = forEachRow(descriptor, work) {
      result.append($0.pointee)
      return true
    }
    return result
  }

  /// Returns the IDs of the entities that a description asks for, in the same order.
  /// - Complexity: as `fetch`; no entity is copied.
  public func fetchIDs<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>
  ) -> [Entity.EntityID] {
    var result: [Entity.EntityID] = []
    forEachRow(descriptor) {
      result.append($0.pointee.entityID)
      return true
    }
    return result
  }

  /// Returns how many entities `fetch` would return.
  /// - Complexity: as `fetch`, without a sort; O(1) for all entities of a table.
  public func fetchCount<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> Int {
    let counter = FetchCounter()
    guard
      let plan = FetchPlan(descriptor.unsorted, in: self, usingIndexes: true, counter)
    else { Contents.missingTable(of: Entity.self) }
    if plan.filter.isEmpty, plan.candidates == nil, plan.start == nil {
      return min(max(0, plan.table.count - plan.offset), plan.limit ?? .max)
    }
    var count = 0
    FetchRun(plan: plan, counter: counter).visitRows { _ in
      count += 1
      return true
    }
    return count
  }

  /// Returns the first of the entities that a description asks for, or `nil`.
  /// - Complexity: as `fetch` with a limit of 1.
  @inlinable
  public func first<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> Entity? {
    var descriptor = descriptor
    descriptor.fetchLimit = min(1, descriptor.fetchLimit ?? 1)
    return fetch(descriptor).first
  }

  /// Calls the closure with one after another of the entities that a description asks for.
  ///
  /// Without a sort, or with one that an index has, entities are looked for as the closure takes
  /// them; set `stop` to leave the rest unlooked at.
  ///
  /// ```swift
  /// library.enumerate(FetchDescriptor<Book>()) { book, stop in
  ///   stop = !queue.add(book)
  /// }
  /// ```
  ///
  /// - Throws: what the closure throws.
  /// - Complexity: as `fetch`, as far as the closure goes.
  public func enumerate<Entity: EntityType, Failure: Error>(
    _ descriptor: FetchDescriptor<Entity>,
    _ body: (_ entity: Entity, _ stop: inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    forEachRow(descriptor) { row in
      var stop = false
      do throws(Failure) {
        try body(row.pointee, &stop)
      } catch {
        failure = error
        return false
      }
      return !stop
    }
    if let failure { throw failure }
  }

  /// Says how a description is served, without fetching anything.
  ///
  /// - Returns: which index finds the rows, how many are examined at most, whether they are sorted,
  ///   and what could be faster. Rows found through a relationship are an estimate.
  /// - Complexity: O(log *n*) for each index of the entity.
  public func explain<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>
  ) -> FetchExplanation {
    guard
      let plan = FetchPlan(descriptor, in: self, usingIndexes: true, FetchCounter())
    else {
      var explanation = FetchExplanation(
        entity: Entity.entityName, tableCount: 0, rowsExamined: 0)
      explanation.notes = ["this database has no table of \(Entity.entityName)"]
      return explanation
    }
    var explanation = plan.explanation
    if !plan.hasAlternatives {
      let conditions = FieldConditions(descriptor.compiled?.condition ?? .unknown, slot: 0)
      explanation.notes += IndexAdvice(conditions, sort: descriptor.sortBy).notes
    }
    return explanation
  }
}

extension NormalizedStorageType {
  /// Calls the closure with the rows of the result where they lie, until it answers `false`.
  @discardableResult
  package func forEachRow<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, _ work: FetchWork = FetchWork(),
    usingIndexes: Bool = true, _ body: (UnsafePointer<Entity>) -> Bool
  ) -> FetchWork {
    let counter = FetchCounter()
    counter.work = work
    guard
      let plan = FetchPlan(descriptor, in: self, usingIndexes: usingIndexes, counter)
    else { Contents.missingTable(of: Entity.self) }
    FetchRun(plan: plan, counter: counter).visitRows(body)
    return counter.work
  }

  /// Returns what `fetch` does without asking any index: what the laws compare it with.
  package func scan<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> [Entity] {
    var result: [Entity] = []
    forEachRow(descriptor, usingIndexes: false) {
      result.append($0.pointee)
      return true
    }
    return result
  }
}
