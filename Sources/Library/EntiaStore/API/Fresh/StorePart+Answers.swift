public import EntiaDatabase
public import Foundation

extension StorePart {
  /// Returns a live query for the entities in the answer to a request, in the answer's order.
  ///
  /// ```swift
  /// let page = store.query(FeedRequest.home, of: Post.self, in: \.feed)
  /// page.value                                        // [Post], empty without an answer
  /// ```
  ///
  /// The query is updated when the answer or one of its rows changes. While it exists, its
  /// rows are not evicted.
  ///
  /// The process stops with a message unless the database has exactly one `Indexes.Responses` of
  /// the types of the request and of the entity.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - entity: The type of the entities in the answer.
  ///   - path: The key path of the database in the state.
  /// - Returns: A query for the entities.
  /// - Complexity: O(*k*), where *k* is the number of entities, after a commit that changed the
  ///   answers, the ages or one of the entities. Other commits cost nothing.
  public func query<
    Storage: NormalizedStorageType, Request: Hashable & Codable & Sendable, Entity: EntityType
  >(
    _ request: Request, of entity: Entity.Type, in path: any KeyPath<State, Storage> & Sendable
  ) -> LiveQuery<Entity> {
    let (core, path) = (store.core, wholePath(to: path))
    let detector = core.detector(at: path)
    let answers = Storage.Contents.answersPath(to: Request.self, of: Entity.self)
    let id = ObjectIdentifier(detector)
    let keys: [RowKey] = [
      .freshness(detector: id), .table(detector: id, entity: ObjectIdentifier(Entity.self)),
    ]
    let make = {
      ReadSource<Whole, Storage, [Entity]>(
        broadcaster: core.broadcaster, at: path,
        RowObserverIndex.ObservedRows(detectors: [detector], keys: keys),
        request: AnsweredRequest(request: request, database: detector),
        describe: { "answer to \(request) in \(pathName(path))" },
        read: { storage in
          let ids = storage.snapshot.contents[keyPath: answers].ids(for: request)
          let keys = [.freshness(detector: id)] + ids.map { detector.key(of: $0) }
          return (ids.compactMap { storage.row(of: $0) }, keys)
        })
    }
    // Equal numbers of two types of requests are different requests.
    let definition = DefinitionID(ObjectIdentifier(Request.self), request, id)
    return LiveQuery(core.shared(definition, make: make))
  }

  /// Returns an asynchronous sequence of the requests that should be sent again. These are requests
  /// with an observed ``query(_:of:in:)`` whose answer is missing, invalidated or too old.
  ///
  /// ```swift
  /// let stale = store.stale(
  ///   FeedRequest.self, of: Post.self, in: \.feed, within: .seconds(60))
  /// for await request in stale { await fetch(request) }
  /// ```
  ///
  /// While no new answer is received, a request is returned again after each `duration`. After a
  /// new answer, the request is returned again when that answer is invalidated or too old.
  ///
  /// - Parameters:
  ///   - request: The type of the requests.
  ///   - entity: The type of the entities in the answers.
  ///   - path: The key path of the database in the state.
  ///   - duration: The duration for which an answer is fresh.
  ///   - interval: The interval at which the answers are checked.
  ///   - now: Returns the current time.
  /// - Returns: A sequence for one loop, which ends when the loop's task is canceled, or at the
  ///   first check after the store was released.
  public func stale<
    Storage: NormalizedStorageType, Request: Hashable & Codable & Sendable, Entity: EntityType
  >(
    _ request: Request.Type, of entity: Entity.Type,
    in path: any KeyPath<State, Storage> & Sendable, within duration: Duration,
    every interval: Duration = .seconds(1), now: @escaping @Sendable () -> Date = { Date() }
  ) -> AsyncStream<Request> {
    let path = wholePath(to: path)
    let detector = store.core.detector(at: path)
    let answers = Storage.Contents.answersPath(to: Request.self, of: Entity.self)
    let requests = StaleRequests<Request>(duration: duration, interval: interval, now: now) {
      [weak core = store.core] in
      guard let core else { return nil }
      let index = core.current.value[keyPath: path].snapshot.contents[keyPath: answers]
      var observed: [StaleRequests<Request>.Observed] = []
      var known: Set<Request> = []
      for subject in core.broadcaster.observedSubjects {
        guard let answered = subject.request,
          answered.database === detector, let request = answered.request as? Request,
          known.insert(request).inserted
        else { continue }
        let answer = index[request]
        observed.append(
          StaleRequests<Request>.Observed(
            request: request, receivedAt: answer?.receivedAt,
            isInvalidated: answer?.isInvalidated ?? false))
      }
      return observed
    }
    return AsyncStream { await requests.next() }
  }
}

/// Finds the requests of a store that should be sent again; see
/// ``StorePart/stale(_:of:in:within:every:now:)``.
actor StaleRequests<Request: Hashable & Sendable> {
  struct Observed: Equatable, Sendable {
    let request: Request
    /// The time of the answer, or `nil` if there is none.
    let receivedAt: Date?
    let isInvalidated: Bool
  }

  private let duration: Duration
  private let interval: Duration
  private let now: @Sendable () -> Date
  /// Returns the observed requests, or `nil` if the store does not exist any more.
  private let observed: @Sendable () -> [Observed]?
  /// The time at which `next()` returned a request, and the request's answer at that time.
  private var returned: [Request: (time: Date, observed: Observed)] = [:]

  init(
    duration: Duration, interval: Duration, now: @escaping @Sendable () -> Date,
    observed: @escaping @Sendable () -> [Observed]?
  ) {
    self.duration = duration
    self.interval = interval
    self.now = now
    self.observed = observed
  }

  /// Returns the next request that should be sent again; `nil` when the store does not exist any
  /// more or the task is canceled.
  func next() async -> Request? {
    while !Task.isCancelled, let observed = observed() {
      if let stale = observed.first(where: isDue) {
        returned[stale.request] = (now(), stale)
        return stale.request
      }
      let requests = Set(observed.map(\.request))
      returned = returned.filter { requests.contains($0.key) }
      do { try await Task.sleep(for: interval) } catch { return nil }
    }
    return nil
  }

  private func isDue(_ observed: Observed) -> Bool {
    let now = now()
    if !observed.isInvalidated, let time = observed.receivedAt, isRecent(time, now) {
      return false
    }
    guard let last = returned[observed.request] else { return true }
    return last.observed != observed || !isRecent(last.time, now)
  }

  private func isRecent(_ time: Date, _ now: Date) -> Bool {
    isFresh(receivedAt: time, within: duration, at: now)
  }
}
