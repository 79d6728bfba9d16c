import EntiaCoding
import EntiaDatabase
import EntiaStore
import Foundation

/// A file with the local batches that the log has not confirmed.
///
/// A batch is stored with its client and its number before it is pushed. After a restart, the
/// process pushes the batch with the same client and number, so that the log recognizes it.
final class Outbox<Storage: NormalizedStorageType>: Sendable {
  /// The minimum size in bytes at which a journal without batches is rewritten.
  private static var compactionSize: Int { 1 << 16 }
  private static var format: String { "entia outbox 2" }
  /// The former format. Its header names the client that made all batches of the file.
  private static var formerFormat: String { "entia outbox 1" }

  private struct Contents {
    /// `nil` after `close()`.
    var file: OutboxFile?
    /// The lines of the waiting batches, by ascending numbers.
    var waiting: ArraySlice<(number: Int64, line: JSONValue)> = []
    /// All batches up to this number are confirmed or rejected.
    var finished: Int64 = 0
    /// The greatest batch number so far. The number of a rejected batch is not reused.
    var last: Int64 = 0
    /// Whether a write has failed. The file may then end in an incomplete line.
    var isBroken = false
  }

  /// The batches that were waiting when the file was opened, by ascending numbers.
  let restored: [OutboxBatch<Storage>]
  /// The greatest batch number when the file was opened.
  let lastNumber: Int64
  private let path: String
  private let parts: SpaceParts<Storage>
  private let contents: Mutex<Contents>

  /// Opens the file of an outbox, or creates it.
  /// - Throws: `SharedDatabaseError`: `outboxIsOpen`, `outboxFailed`, `notCodable`; for a batch of
  ///   another schema, `cannotDecode`, which names the outbox and the batch. The file is then
  ///   unchanged.
  init(_ url: URL, space: String) throws {
    path = url.path(percentEncoded: false)
    parts = try SpaceParts(space: space)
    let file = try OutboxFile(path)
    let (lines, isComplete) = try file.read()
    guard !lines.isEmpty || isComplete else {
      throw SharedDatabaseError.outboxFailed(file: path, reason: "it is no outbox")
    }
    let former = try Self.formerClient(lines.first, space: space, path)
    var contents = Contents(file: file)
    for line in lines.dropFirst() {
      if let number: Int64 = line["finished"].flatMap(JSONForm.integer) {
        contents.finished = max(contents.finished, number)
        let last: Int64? = line["last"].flatMap(JSONForm.integer)
        contents.last = max(contents.last, last ?? number)
      } else if let number: Int64 = line["batch"].flatMap(JSONForm.integer) {
        contents.last = max(contents.last, number)
        contents.waiting.append((number, Self.line(line, withClient: former)))
      }
    }
    let finished = contents.finished
    lastNumber = contents.last
    contents.waiting.removeAll { $0.number <= finished }
    restored = try contents.waiting.map { [path, parts] in
      try Self.batch($0.line, $0.number, parts, path)
    }
    self.contents = Mutex(contents)
    try replaceFile()
  }

  /// Returns the client in the header of a file of the former format; otherwise `nil`.
  private static func formerClient(
    _ header: JSONValue?, space: String, _ path: String
  ) throws(SharedDatabaseError) -> ClientID? {
    guard let header else { return nil }
    var client: ClientID?
    if case .string(let id)? = header["client"] { client = ClientID(uuidString: id) }
    guard case .string(let form)? = header["space"], case .string(let format)? = header["format"],
      format == Self.format || format == formerFormat && client != nil
    else {
      throw .outboxFailed(file: path, reason: "it is the outbox of another version of Entia")
    }
    let other = JSONTextForm.name(of: form)
    guard other == space else {
      throw .outboxFailed(file: path, reason: "it has batches of the space \(other), not \(space)")
    }
    return client
  }

  /// Returns the line of a batch. In a file of the former format, lines have no client, so `former`
  /// is added.
  /// - Parameter former: The client in the header of a file of the former format; otherwise `nil`.
  private static func line(_ line: JSONValue, withClient former: ClientID?) -> JSONValue {
    guard let former, case .object(let members) = line else { return line }
    return .object(members + [JSONValue.Member("client", .string(former.uuidString))])
  }

  /// Returns the batch of a line.
  /// - Throws: `SharedDatabaseError.cannotDecode`, which names the outbox and the batch.
  private static func batch(
    _ line: JSONValue, _ number: Int64, _ parts: SpaceParts<Storage>, _ path: String
  ) throws -> OutboxBatch<Storage> {
    func unreadable(_ part: String, column: String? = nil, _ reason: String) -> SharedDatabaseError
    {
      .cannotDecode(
        space: parts.space, entity: part, row: "batch \(number)", column: column,
        reason: "in the outbox \(path), \(reason)")
    }
    guard let base: Int64 = line["base"].flatMap(JSONForm.integer),
      case .string(let id)? = line["client"], let client = ClientID(uuidString: id),
      case .array(let entries)? = line["changes"]
    else { throw unreadable("outbox", "it has no client, no base or no changes") }
    var name: String?
    if case .string(let form)? = line["name"] { name = JSONTextForm.name(of: form) }
    // Outboxes of earlier versions of Entia have no origins.
    var origin: BatchOrigin?
    if case .string(let text)? = line["baseClient"], let client = ClientID(uuidString: text),
      let mutation: Int64 = line["baseMutation"].flatMap(JSONForm.integer)
    {
      origin = BatchOrigin(client: client, mutation: mutation)
    }
    do {
      let changes = try ChangeDecoding.changes(of: entries, base, parts)
      try KnownMembers.check(entries, parts)
      return OutboxBatch(
        number: number, client: client, name: name,
        base: LogPosition(version: base, origin: origin), changes: changes)
    } catch SharedDatabaseError.cannotDecode(_, let part, _, let column, let reason) {
      throw unreadable(part, column: column, reason)
    }
  }

  private var header: JSONValue {
    .object([
      JSONValue.Member("format", .string(Self.format)),
      JSONValue.Member("space", .string(JSONTextForm.name(parts.space))),
    ])
  }

  private static func finishLine(_ contents: Contents) -> JSONValue {
    .object([
      JSONValue.Member("finished", .number(JSONNumber(contents.finished))),
      JSONValue.Member("last", .number(JSONNumber(contents.last))),
    ])
  }

  /// Returns the line of a batch.
  /// - Throws: `SharedDatabaseError.cannotEncode`. Pushing the batch throws the same error.
  func line(of batch: OutboxBatch<Storage>) throws -> JSONValue {
    let entries = try ChangeEncoding(batch.changes, to: batch.base.version + 1, parts).entries
    var members = [
      JSONValue.Member("batch", .number(JSONNumber(batch.number))),
      JSONValue.Member("client", .string(batch.client.uuidString)),
      JSONValue.Member("base", .number(JSONNumber(batch.base.version))),
    ]
    if let origin = batch.base.origin {
      members += [
        JSONValue.Member("baseClient", .string(origin.client.uuidString)),
        JSONValue.Member("baseMutation", .number(JSONNumber(origin.mutation))),
      ]
    }
    if let name = batch.name {
      members.append(JSONValue.Member("name", .string(JSONTextForm.name(name))))
    }
    return .object(members + [JSONValue.Member("changes", .array(entries))])
  }

  /// Stores batches. When the call returns, the batches survive the end of the process and a loss
  /// of power.
  /// - Throws: `SharedDatabaseError`: `outboxFailed`, after which the call has to be repeated;
  ///   `isClosed`.
  func store(_ lines: [(number: Int64, line: JSONValue)]) throws {
    try contents.withLock { contents in
      guard let file = contents.file else {
        throw SharedDatabaseError.isClosed(space: parts.space)
      }
      // A call that is repeated after a failure contains batches that are already waiting.
      let last = contents.waiting.last?.number ?? 0
      contents.waiting += lines.filter { $0.number > last }
      contents.last = max(contents.last, lines.last?.number ?? 0)
      if contents.isBroken { return try replaceFile(&contents) }
      let failure = failure(in: &contents) { _ throws(SharedDatabaseError) in
        try file.append(lines.map(\.line), isDurable: true)
      }
      if let failure { throw failure }
    }
  }

  /// Records that all batches up to a number are confirmed or rejected.
  /// - Parameters:
  ///   - number: The number of the last finished batch.
  ///   - last: The greatest batch number so far, including batches that were rejected before they
  ///     were stored.
  ///   - isDurable: Whether the record must survive a loss of power. Must be `true` if a finished
  ///     batch is not in the log.
  /// - Returns: The error of the file, if it could not be written: `outboxFailed`, after which the
  ///   next call repeats the write, or `isClosed`.
  func finish(through number: Int64, last: Int64, isDurable: Bool) -> SharedDatabaseError? {
    contents.withLock { contents in
      guard let file = contents.file else { return .isClosed(space: parts.space) }
      guard number > contents.finished || isDurable || contents.isBroken else { return nil }
      contents.finished = max(number, contents.finished)
      contents.last = max(last, contents.last)
      while let first = contents.waiting.first, first.number <= number {
        // A slice removes its first element in constant time.
        contents.waiting.removeFirst()
      }
      return failure(in: &contents) { contents throws(SharedDatabaseError) in
        let isLarge = contents.waiting.isEmpty && file.size > Self.compactionSize
        if contents.isBroken || isLarge {
          try replaceFile(&contents)
        } else {
          try file.append([Self.finishLine(contents)], isDurable: isDurable)
        }
      }
    }
  }

  /// Replaces the stored batches. Called after the rejection of a batch, because the remaining
  /// batches have then been rebased.
  /// - Parameters:
  ///   - lines: All waiting batches, by ascending numbers.
  ///   - number: All batches up to this number are confirmed or rejected.
  ///   - last: The greatest batch number so far.
  /// - Returns: The error of the file, if it could not be written: `outboxFailed`, after which the
  ///   next call repeats the write, or `isClosed`.
  func replace(
    _ lines: [(number: Int64, line: JSONValue)], finished number: Int64, last: Int64
  ) -> SharedDatabaseError? {
    contents.withLock { contents in
      guard contents.file != nil else { return .isClosed(space: parts.space) }
      contents.waiting = lines[...]
      contents.finished = max(number, contents.finished)
      contents.last = max(last, contents.last)
      return failure(in: &contents, of: replaceFile)
    }
  }

  /// Performs a write of the file. After a failure, the next write replaces the file.
  /// - Returns: The error of the write, if it failed.
  private func failure(
    in contents: inout Contents,
    of write: (inout Contents) throws(SharedDatabaseError) -> Void
  ) -> SharedDatabaseError? {
    do {
      try write(&contents)
      return nil
    } catch {
      contents.isBroken = true
      return error
    }
  }

  /// Closes the file. Another process can then open it.
  func close() {
    let file = contents.withLock { contents in
      defer { contents.file = nil }
      return contents.file
    }
    file?.close()
  }

  private func replaceFile() throws { try contents.withLock { try replaceFile(&$0) } }

  private func replaceFile(_ contents: inout Contents) throws(SharedDatabaseError) {
    try contents.file?.replace(
      [header, Self.finishLine(contents)] + contents.waiting.map(\.line))
    contents.isBroken = false
  }
}

/// A local batch that is stored in the outbox.
struct OutboxBatch<Storage: NormalizedStorageType>: Sendable {
  let number: Int64
  let client: ClientID
  let name: String?
  /// The base version: the confirmed version on which the earlier waiting batches and this batch
  /// were made.
  let base: LogPosition
  /// The changes since the previous batch.
  let changes: StorageChangeSet<Storage>
}
