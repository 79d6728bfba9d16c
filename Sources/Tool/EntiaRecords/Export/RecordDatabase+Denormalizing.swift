import EntiaCoding
public import EntiaJSON

extension RecordDatabase {
  /// Returns rows as a JSON array of objects that contain the referenced rows.
  ///
  /// - Parameters:
  ///   - name: The entity of the rows.
  ///   - ids: The texts of the rows' IDs, in the requested order; nil for all rows. If nil, the
  ///     rows in the `result` of the database come first, in its order. The other rows follow,
  ///     sorted by ID.
  ///   - depth: The levels of relationships to follow; 0 returns the rows as they are stored.
  ///   - inverses: The relationships to follow from a row to its holders. Each has its own depth,
  ///     independent of `depth`.
  ///   - maximumBytes: The maximum size of the output in bytes.
  /// - Returns: The array, one line for each row. Only the ID is written for a missing row, a row
  ///   beyond the depth, and a row inside itself.
  /// - Complexity: O(size of the output), regardless of the depth. The output itself can grow
  ///   exponentially with the depth if rows share references.
  public func denormalized(
    entity name: String, ids: [String]? = nil, depth: Int = 1,
    following inverses: [RecordInverse] = [],
    maximumBytes: Int = DenormalizeProblem.defaultMaximumBytes
  ) -> Result<[UInt8], DenormalizeProblem> {
    var bytes: [UInt8] = []
    return denormalize(
      entity: name, ids: ids, depth: depth, following: inverses, maximumBytes: maximumBytes
    ) {
      bytes.append(contentsOf: $0)
    }.map { bytes }
  }

  /// Writes the array in pieces, so that it is never in memory as a whole.
  ///
  /// - Parameters:
  ///   - name: The entity of the rows.
  ///   - ids: The texts of the rows' IDs, in the requested order; nil for all rows.
  ///   - depth: The levels of relationships to follow.
  ///   - inverses: The relationships to follow from a row to its holders.
  ///   - maximumBytes: The maximum size of the output in bytes.
  ///   - pieces: A closure that is called with each piece, in order. If the output is too long, the
  ///     closure receives only a part of it.
  /// - Returns: Success if the whole output has been written.
  /// - Throws: The error of the closure.
  /// - Complexity: O(size of the output), regardless of the depth.
  public func denormalize<Failure: Error>(
    entity name: String, ids: [String]? = nil, depth: Int = 1,
    following inverses: [RecordInverse] = [],
    maximumBytes: Int = DenormalizeProblem.defaultMaximumBytes,
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Result<Void, DenormalizeProblem> {
    let rows: [Record]
    do throws(SelectionProblem) {
      let entity = try knownEntity(name)
      for inverse in inverses {
        if let problem = try problem(with: inverse) { return .failure(problem) }
      }
      if let problem = repeatedName(in: inverses) { return .failure(problem) }
      rows = if let ids { try self.rows(entity, ids: ids) } else { resultFirst(name) }
    } catch {
      return .failure(.selection(error))
    }
    var writer = NestedRowWriter(
      database: self, depth: depth, inverses: inverses, maximumBytes: maximumBytes)
    let fanOut = try writer.write(rows, to: pieces)
    return fanOut.map { .failure(.tooLarge(maximumBytes: maximumBytes, fanOut: $0)) }
      ?? .success(())
  }
}
