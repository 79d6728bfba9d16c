extension NormalizedStorageType {
  /// Returns the entities that a fetch descriptor selects.
  ///
  /// ```swift
  /// library.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.year > 1999 }))
  /// ```
  ///
  /// - Precondition: The database has a table of the entity type.
  /// - Complexity: O(result · log *n*) when an index finds all matches, otherwise O(*n*). A sort
  ///   without an index adds O(log *k*) for each match, where *k* is the number of kept entities.
  @inlinable
  public func fetch<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> [Entity] {
    var work = FetchWork()
    return fetch(descriptor, work: &work)
  }

  /// Returns the entities that a fetch descriptor selects, and counts the work.
  /// - Parameters:
  ///   - descriptor: The fetch descriptor.
  ///   - work: The counters to increase.
  /// - Complexity: That of `fetch`.
  @inlinable
  package func fetch<Entity: EntityType>(
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

  /// Returns the IDs of the entities that a fetch descriptor selects, in the order of the fetch.
  /// - Complexity: That of `fetch`; no entity is copied.
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

  /// Returns the number of entities that `fetch` would return.
  /// - Complexity: That of `fetch` without a sort; O(1) for all entities of a table.
  public func fetchCount<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> Int {
    let counter = FetchCounter()
    guard
      let plan = FetchPlan(descriptor.unsorted, in: self, usingIndexes: true, counter)
    else { Contents.missingTable(of: Entity.self) }
    if plan.filter.isEmpty, plan.candidates == nil, plan.start == nil {
      return min(max(0, plan.table.count - plan.offset), plan.limit ?? .max)
    }
    return FetchRun(plan: plan, counter: counter).count()
  }

  /// Returns the first of the entities that a fetch descriptor selects, or `nil`.
  /// - Complexity: That of `fetch` with a limit of 1.
  @inlinable
  public func first<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> Entity? {
    var descriptor = descriptor
    descriptor.fetchLimit = min(1, descriptor.fetchLimit ?? 1)
    return fetch(descriptor).first
  }

  /// Calls the closure with each of the entities that a fetch descriptor selects, in order.
  ///
  /// Without a sort, or with a sort that an index serves, entities are found one at a time. After
  /// the closure sets `stop`, the remaining rows are not examined.
  ///
  /// ```swift
  /// library.enumerate(FetchDescriptor<Book>()) { book, stop in
  ///   stop = !queue.add(book)
  /// }
  /// ```
  ///
  /// - Throws: The error that the closure throws.
  /// - Complexity: That of `fetch`, up to the entity at which the closure stops.
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

  /// Returns how a fetch would be executed, without fetching anything.
  ///
  /// - Returns: The index that finds the rows, the maximum number of rows examined, whether the
  ///   rows are sorted, and how the fetch could be faster. The number of rows found through a
  ///   relationship is an estimate.
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
      let search = RowSearch<Contents, Entity>(snapshot.contents, sort: nil)
      explanation.notes +=
        IndexAdvice(conditions, sort: descriptor.sortBy) {
          !search.candidates(for: $0).isEmpty
        }.notes
    }
    return explanation
  }
}

extension NormalizedStorageType {
  /// Calls the closure with the address of each row of the result, until the closure returns
  /// `false`.
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

  /// Returns the same result as `fetch`, but computed without indexes. The tests compare both.
  package func scan<Entity: EntityType>(_ descriptor: FetchDescriptor<Entity>) -> [Entity] {
    var result: [Entity] = []
    forEachRow(descriptor, usingIndexes: false) {
      result.append($0.pointee)
      return true
    }
    return result
  }
}

extension BatchContext {
  /// The database with the changes that the batch has made so far.
  ///
  /// It is a value, so later changes of the batch do not affect it. The rules that are checked at
  /// the end of a batch have not been checked. If the value is kept as a database, the next batch
  /// on this database checks all rows. References that a removal left dangling stay in the value,
  /// and so do held IDs whose entities are missing; `verify()` lists both.
  ///
  /// - Complexity: O(parts of the storage). While the value is kept, the batch shares memory with
  ///   it, and therefore copies the path to each row that the batch changes.
  public var pending: Storage {
    storage(
      of: transaction.needsValidation ? transaction.version().unvalidated : transaction.version())
  }

  private func storage(of version: Snapshot<Storage.Contents>) -> Storage {
    if transaction.isUntouched { return current }
    var storage = current
    storage.snapshot = version
    return storage
  }

  /// Returns the entities that a fetch descriptor selects.
  ///
  /// ```swift
  /// try library.performBatchUpdates { context in
  ///   context.modifying.books.insert(book)
  ///   let recent = context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.year > 1999 }))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: The entities to fetch.
  ///   - includePendingChanges: Whether the result includes the changes of this batch; otherwise
  ///     the entities are those of `current`.
  /// - Complexity: That of `fetch` of a database, plus O(parts of the storage).
  public func fetch<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, includePendingChanges: Bool = true
  ) -> [Entity] {
    // The version is not marked as unvalidated, because it is not kept.
    (includePendingChanges ? storage(of: transaction.version()) : current).fetch(descriptor)
  }
}
