package import EntiaCollections
package import Foundation

extension Indexes {
  /// The answers to requests: for each request, the IDs of the entities in its answer, in the order
  /// of the answer.
  ///
  /// ```swift
  /// @Index var answers: Indexes.Responses<FeedRequest, Post> = .init()
  ///
  /// feed.answers[.home]?.isFresh(within: .seconds(60), at: now)
  /// feed.answers.ids(for: .home)
  /// ```
  ///
  /// A removed entity is removed from the answers. A storage declares one index for each entity
  /// type of an answer.
  ///
  /// As a part of the database's value, the index is copied, undone, merged and encoded with it.
  /// But `==` ignores the index, and change sets do not contain it.
  public struct Responses<Request: Hashable & Codable & Sendable, Entity: EntityType>: Sendable {
    private(set) var answers =
      PersistentTable<EntryKeyed<HashedKey<Request>, Response<Entity>>>()
    /// For each entity that is in an answer, the requests whose answers contain it.
    private var requestsByID = PersistentTable<EntryKeyed<Entity.EntityID, [HashedKey<Request>]>>()

    /// Creates an index without answers.
    public init() {}

    /// The number of answers.
    /// - Complexity: O(1).
    package var count: Int { answers.count }

    /// Whether there is no answer.
    /// - Complexity: O(1).
    package var isEmpty: Bool { answers.isEmpty }

    /// The answer to a request, or `nil`.
    /// - Complexity: O(1) expected.
    public subscript(request: Request) -> Response<Entity>? { answers[HashedKey(request)]?.value }

    /// Returns the IDs in the answer to a request, in the order of the answer. Returns no IDs if
    /// there is no answer.
    /// - Complexity: O(*k*) in the number of IDs.
    public func ids(for request: Request) -> [Entity.EntityID] { self[request]?.ids() ?? [] }

    /// Returns the requests that have an answer, in the order in which they were first answered.
    /// - Complexity: O(*n*) in the number of answers.
    package func requests() -> [Request] { answers.map { $0.key.key } }

    /// Returns the requests whose answers contain an entity.
    /// - Complexity: O(*k*) in the number of these requests.
    package func requests(containing id: Entity.EntityID) -> [Request] {
      requestsByID[id]?.value.map { $0.key } ?? []
    }
  }
}

extension Indexes.Responses: FreshnessIndex {
  package typealias Key = HashedKey<Request>
  package typealias Value = Response<Entity>

  package var entries: PersistentTable<EntryKeyed<HashedKey<Request>, Response<Entity>>> { answers }

  package init(entries: some Sequence<KeyValueEntry<HashedKey<Request>, Response<Entity>>>) {
    self.init()
    for entry in entries { set(entry.value, for: entry.key) }
  }

  /// Removes a removed row from the answers.
  /// - Complexity: O(log *n* + pages) for each answer that contains it.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    if let old, new == nil { rowRemoved(old.entityID) }
  }

  @usableFromInline
  package mutating func rowRemoved(_ id: Entity.EntityID) {
    guard let requests = requestsByID.remove(id) else { return }
    for request in requests.value { answers.update(request) { $0.value.remove(id) } }
  }

  /// Removes from the answers the IDs of missing rows. `visitRows` visits all existing rows.
  /// - Complexity: O(*n*).
  package mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    if requestsByID.isEmpty { return }
    var missing = Swift.Set(requestsByID.map { $0.key })
    visitRows { missing.remove($0.entityID) }
    for id in missing { rowRemoved(id) }
  }

  /// Returns a mismatch for each ID that is in an answer but has no row. Also returns a mismatch
  /// for each pair of a request and an ID that is not in both `answers` and `requestsByID`.
  /// - Complexity: O(*n*).
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    var pairs: Swift.Set<Pair> = []
    for entry in requestsByID {
      for request in entry.value { pairs.insert(Pair(request: request, id: entry.key)) }
    }
    var wrong: [Pair] = []
    for entry in answers {
      for id in entry.value.ids() {
        let isLinked = pairs.remove(Pair(request: entry.key, id: id)) != nil
        if !isLinked || !rebuilt.requestsByID.contains(id) {
          wrong.append(Pair(request: entry.key, id: id))
        }
      }
    }
    return (wrong + pairs).map {
      IndexMismatch(entity: EntityLabel($0.id), key: "\($0.request.key)")
    }
  }

  private struct Pair: Hashable {
    let request: HashedKey<Request>
    let id: Entity.EntityID
  }

  package func isIdentical(to other: Self) -> Bool { answers.isIdentical(to: other.answers) }

  package mutating func merge(
    _ theirs: Self, base: Self, evictions: [(evicted: Self, other: Self)],
    exists: (Entity.EntityID) -> Bool
  ) {
    for difference in theirs.answers.differences(from: base.answers) {
      let key =
        switch difference {
        case .inserted(let entry), .updated(_, let entry), .removed(let entry): entry.key
        }
      let (mine, theirs) = (answers[key]?.value, theirs.answers[key]?.value)
      var answer = Response.merged(mine, theirs, base: base.answers[key]?.value)
      for id in answer?.ids() ?? [] where !exists(id) { answer?.remove(id) }
      // An eviction invalidates the answers of its side until they are received again. If the
      // answer of the other side loses the evicted rows here, the merged answer is invalidated,
      // too. After a reception, an evicted row cannot be distinguished from a deleted one, which
      // invalidates no answer.
      for (evicted, other) in evictions
      where evicted.answers[key]?.value.isInvalidated == true
        && other.answers[key]?.value.ids().allSatisfy(exists) == false
      { answer?.isInvalidated = true }
      if answer != mine { set(answer, for: key) }
    }
  }
}

extension Indexes.Responses {
  /// Adds a page to the answer to a request, or replaces the page.
  /// - Returns: Whether the page was stored; `false` if the answer does not accept it.
  mutating func receive(_ page: ResponsePage<Entity>, for request: Request) -> Bool {
    let key = HashedKey(request)
    guard var answer = answers[key]?.value else {
      if page.after != nil { return false }
      set(Response(page), for: key)
      return true
    }
    guard answer.accepts(pageAfter: page.after) else { return false }
    answer.insert(page) { requestsByID[$0]?.value.contains(key) == true }
    set(answer, for: key)
    return true
  }

  /// Marks answers as invalidated.
  mutating func invalidate(_ requests: some Sequence<Request>) {
    for request in requests where self[request]?.isInvalidated == false {
      answers.update(HashedKey(request)) { $0.value.isInvalidated = true }
    }
  }

  /// Removes the answer to a request.
  /// - Returns: Whether the request had an answer.
  mutating func remove(_ request: Request) -> Bool {
    if self[request] == nil { return false }
    set(nil, for: HashedKey(request))
    return true
  }

  private mutating func set(_ answer: Response<Entity>?, for key: HashedKey<Request>) {
    let former = answers[key]?.value
    let old = former?.ids(inPagesChangedFrom: answer) ?? []
    let new = answer?.ids(inPagesChangedFrom: former) ?? []
    for id in old where !new.contains(id) {
      let isEmpty = requestsByID.update(id) { entry in
        entry.value.removeAll { $0 == key }
        return entry.value.isEmpty
      }
      if isEmpty == true { requestsByID.remove(id) }
    }
    for id in new where !old.contains(id) {
      if requestsByID.update(id, { $0.value.append(key) }) == nil {
        requestsByID.updateOrInsert(KeyValueEntry(key: id, value: [key]))
      }
    }
    if let answer {
      answers.updateOrInsert(KeyValueEntry(key: key, value: answer))
    } else {
      answers.remove(key)
    }
  }
}

/// An index of answers, for code that does not depend on the type of the requests.
package protocol AnswerIndex<Entity>: FreshnessIndex
where Key == HashedKey<Request>, Value == Response<Entity> {
  /// The type of the requests.
  associatedtype Request: Hashable & Codable & Sendable

  /// Returns the IDs in answers that were received at a time or later.
  func ids(inAnswersSince time: Date) -> [Entity.EntityID]

  /// Marks the answers that contain an entity as invalidated.
  mutating func invalidateAnswers(containing id: Entity.EntityID)
}

extension Indexes.Responses: AnswerIndex {
  package func ids(inAnswersSince time: Date) -> [Entity.EntityID] {
    answers.filter { $0.value.receivedAt >= time }.flatMap { $0.value.ids() }
  }

  package mutating func invalidateAnswers(containing id: Entity.EntityID) {
    invalidate(requests(containing: id))
  }
}

extension Indexes.Responses: Encodable where Entity.EntityIDRawType: Encodable {
  /// Encodes an array of requests, each followed by its answer.
  /// - Throws: The error that encoding a request or an ID throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for entry in answers {
      try container.encode(entry.key.key)
      try container.encode(entry.value)
    }
  }
}

extension Indexes.Responses: Decodable where Entity.EntityIDRawType: Decodable {
  /// Decodes an array of requests, each followed by its answer. Answers that cannot be read, such
  /// as those to requests of an older type, are left out.
  /// - Throws: `DecodingError` if the value is no such array.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let request = try container.decodeIfReadable(Request.self)
      let answer = try container.decodeIfReadable(Response<Entity>.self)
      if let request, let answer { set(answer, for: HashedKey(request)) }
    }
  }
}

extension UnkeyedDecodingContainer {
  /// Returns the next value, or skips it and returns `nil` if it cannot be decoded as the type.
  fileprivate mutating func decodeIfReadable<Value: Decodable>(
    _ type: Value.Type
  ) throws -> Value? {
    let index = currentIndex
    do {
      return try decode(type)
    } catch is DecodingError {
      // After an error, a decoder may still be at the same value, which is then skipped.
      if currentIndex == index { _ = try decode(IgnoredValue.self) }
      return nil
    }
  }
}

/// Decodes from any value without reading its contents, to skip the value.
private struct IgnoredValue: Decodable {
  init(from decoder: any Decoder) {}
}
