public import EntiaDatabase
public import Foundation

// Imports of what was received at a time, for the ages and answers of a database.
extension NormalizedStorageType {
  /// Imports JSON that was received at a time into the database, all or nothing.
  ///
  /// Every `Indexes.Age` records the time for the rows that occur in the JSON, also for unchanged
  /// ones. By default, a received row replaces an existing one. An existing row that was received
  /// later is kept, and so is its time.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - root: The entity at the top level.
  ///   - time: The time at which the JSON was received.
  ///   - options: The spelling of names, the format of dates, and the treatment of conflicts.
  /// - Returns: The report; its problems are warnings.
  /// - Throws: ``ImportProblems`` with all problems; the database is then unchanged.
  /// - Complexity: O(bytes of the input), plus O(log *n*) for each row.
  @inlinable
  @discardableResult
  public mutating func importJSON<Root: EntityType & Decodable>(
    _ source: ImportSource, of root: Root.Type, receivedAt time: Date,
    options: TypedImportOptions = TypedImportOptions()
  ) throws -> ImportReport {
    try importJSON(source, of: root, options: options.receiving(at: time))
  }

  /// Imports JSON that answers a request into the database, all or nothing.
  ///
  /// ```swift
  /// try feed.importJSON(page, of: Post.self, answering: FeedRequest.home, receivedAt: now)
  /// feed.answers.ids(for: .home)
  /// ```
  ///
  /// The entities at the top level are recorded as the answer, or as a page of it. Otherwise this
  /// is the same as `importJSON(_:of:receivedAt:options:)`. The process stops with a message unless
  /// the database has exactly one `Indexes.Responses` of the types of the request and of the root.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - root: The entity at the top level.
  ///   - request: The request.
  ///   - cursor: The cursor with which the page was requested; `nil` for the first page. A page to
  ///     which no other page leads is not recorded, but its rows are imported.
  ///   - next: The cursor of the next page; `nil` when there is none.
  ///   - time: The time at which the JSON was received.
  ///   - options: The spelling of names, the format of dates, and the treatment of conflicts.
  /// - Returns: The report; its problems are warnings.
  /// - Throws: ``ImportProblems`` with all problems, and the errors that a batch throws; the
  ///   database is then unchanged.
  /// - Complexity: O(bytes of the input), plus O(log *n*) for each row.
  @inlinable
  @discardableResult
  public mutating func importJSON<
    Root: EntityType & Decodable, Request: Hashable & Codable & Sendable
  >(
    _ source: ImportSource, of root: Root.Type, answering request: Request,
    after cursor: String? = nil, next: String? = nil, receivedAt time: Date,
    options: TypedImportOptions = TypedImportOptions()
  ) throws -> ImportReport {
    let result = Importer.importing(
      [source], of: root, into: self, options: options.receiving(at: time))
    var database = try result.accepted()
    try database.record(result.rootIDs, for: request, after: cursor, next: next, at: time)
    self = database
    return result.report
  }

  @usableFromInline
  mutating func record<Root: EntityType, Request: Hashable & Codable & Sendable>(
    _ ids: [EntityIdentifier<Root>], for request: Request, after cursor: String?, next: String?,
    at time: Date
  ) throws {
    try performBatchUpdates { (context) throws -> Void in
      context.receive(ids, for: request, after: cursor, next: next, at: time)
    }
  }
}

extension TypedImportOptions {
  /// Returns the options for records that were received at a time.
  @usableFromInline
  func receiving(at time: Date) -> Self {
    var options = self
    options.receivedAt = time
    return options
  }
}
