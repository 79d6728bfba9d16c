public import Foundation

/// The answers to requests, inside a batch:
/// `context.modifying.answers.receive(ids, for: .home, at: now)`.
public struct ResponsesEditor<
  Storage: NormalizedStorageType, Request: Hashable & Codable & Sendable, Entity: EntityType
> {
  let transaction: BatchTransaction<Storage>
  let responses: UnsafeMutablePointer<Indexes.Responses<Request, Entity>>

  init(
    _ transaction: BatchTransaction<Storage>,
    _ responses: UnsafeMutablePointer<Indexes.Responses<Request, Entity>>
  ) {
    precondition(transaction.isOpen, "the batch has ended")
    self.transaction = transaction
    self.responses = responses
  }

  /// The answer to a request, or `nil`.
  /// - Complexity: O(1) expected.
  public subscript(request: Request) -> Response<Entity>? { responses.pointee[request] }

  /// Returns the IDs of the answer to a request, in the answer's order; empty if there is no
  /// answer.
  /// - Complexity: O(*k*) in the number of IDs.
  package func ids(for request: Request) -> [Entity.EntityID] {
    responses.pointee.ids(for: request)
  }

  /// Records a page of the answer to a request.
  ///
  /// If `cursor` is `nil`, the page is the first page of the answer. If `cursor` is the next cursor
  /// of the last page in the answer, the new page is appended, without the IDs that earlier pages
  /// contain. If the answer already has a page with this `cursor`, the new page replaces that page.
  /// If the two pages have different next cursors, the pages after the replaced page are removed,
  /// because they do not follow the new page.
  ///
  /// IDs of missing entities are left out, so insert the rows first.
  /// - Parameters:
  ///   - ids: The IDs, in the order of the answer.
  ///   - request: The request.
  ///   - cursor: The cursor with which the page was requested; `nil` for the first page.
  ///   - next: The cursor of the next page; `nil` when there is none.
  ///   - time: The time at which the page was received.
  /// - Returns: Whether the page was recorded; `false` if `cursor` is neither `nil`, nor the cursor
  ///   of a page in the answer, nor the next cursor of the last page.
  /// - Complexity: O(*k* log *n* + *p*), where *p* is the number of pages in the answer, and *k*
  ///   the number of IDs of the page. If a page is replaced, *k* is the number of IDs of the
  ///   answer.
  @discardableResult
  public mutating func receive(
    _ ids: some Sequence<Entity.EntityID>, for request: Request, after cursor: String? = nil,
    next: String? = nil, at time: Date
  ) -> Bool {
    let rows = transaction.contents.table(of: Entity.self)
    var held = Indexes.OrderedID<Entity>()
    for id in ids where rows?.contains(id) == true { held.insert(id) }
    return responses.pointee.receive(
      ResponsePage(after: cursor, next: next, receivedAt: time, ids: held), for: request)
  }

  /// Marks the answers to the requests that satisfy a predicate as invalidated. They are not fresh
  /// until their first page is received again.
  /// - Parameter predicate: Whether the answer to a request is invalidated.
  /// - Throws: The error that the predicate throws; nothing is invalidated then.
  /// - Complexity: O(*n*) in the number of answers.
  public mutating func invalidate(where predicate: (Request) throws -> Bool) rethrows {
    let requests = try responses.pointee.requests().filter(predicate)
    responses.pointee.invalidate(requests)
  }

  /// Removes the answer to a request. The rows of the answer stay.
  /// - Returns: Whether there was an answer.
  /// - Complexity: O(*k* log *n*) in the number of IDs in the answer.
  @discardableResult
  public mutating func remove(_ request: Request) -> Bool { responses.pointee.remove(request) }
}

extension BatchTables {
  /// The answers to requests, for reading and writing.
  public subscript<Request, Entity>(
    dynamicMember path: PartPath<Storage.Contents, Indexes.Responses<Request, Entity>>
  ) -> ResponsesEditor<Storage, Request, Entity> {
    get { ResponsesEditor(transaction, transaction.contents.part(at: path)) }
    _modify {
      var editor = ResponsesEditor(transaction, transaction.contents.part(at: path))
      yield &editor
    }
  }
}

extension BatchContext {
  /// Records a page of the answer to a request in the only index of such answers.
  /// - Returns: Whether the page was recorded.
  @discardableResult
  package mutating func receive<Request: Hashable & Codable & Sendable, Entity: EntityType>(
    _ ids: [EntityIdentifier<Entity>], for request: Request, after cursor: String?, next: String?,
    at time: Date
  ) -> Bool {
    let path = Storage.Contents.answersPath(to: Request.self, of: Entity.self)
    var answers = ResponsesEditor(transaction, transaction.contents.part(at: path))
    return answers.receive(ids, for: request, after: cursor, next: next, at: time)
  }
}
