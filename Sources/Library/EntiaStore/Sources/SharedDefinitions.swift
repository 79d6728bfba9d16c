/// The sources derived from one source, by their definitions. The derived sources are not retained.
final class SharedDefinitions: Sendable {
  private struct Key: Hashable, Sendable {
    let id: DefinitionID
    let output: ObjectIdentifier
  }

  private struct Entry: Sendable {
    let key: Key
    let number: UInt64
    weak var source: (any AnyObject & Sendable)?
  }

  private struct Contents {
    /// The entries by the hash value of their key. A key itself is not used as an index, because
    /// hashing and comparing keys runs user code, which must not run under a lock.
    var buckets: [Int: [Entry]] = [:]
    var count = 0
    var added: UInt64 = 0
    /// The number of entries at which the entries of released sources are removed.
    var limit = 16
  }

  private let contents = Mutex(Contents())

  /// The number of stored definitions, including those whose source has been released.
  var count: Int { contents.withLock { $0.count } }

  /// The existing sources, in the order in which they were added.
  var sources: [any AnyObject & Sendable] {
    let entries = contents.withLock { contents in contents.buckets.values.flatMap { $0 } }
    return entries.sorted { $0.number < $1.number }.compactMap(\.source)
  }

  /// Returns the source of a definition. Concurrent callers receive the same source.
  func source<Source: AnyObject & Sendable>(
    _ id: DefinitionID, make: () -> Source
  ) -> Source {
    let key = Key(id: id, output: ObjectIdentifier(Source.self))
    let hash = key.hashValue
    typealias Found = (source: Source, others: [Entry])
    var isOverLimit = false
    let found: Found = contents.findOrAdd(
      read: { contents -> ([Entry], UInt64?) in
        let bucket = contents.buckets[hash] ?? []
        return (bucket, bucket.last?.number)
      },
      find: { bucket -> Found? in
        let source = bucket.first { $0.key == key }?.source as? Source
        return source.map { ($0, []) }
      },
      make: { bucket, _ in (make(), bucket.filter { $0.key != key }) },
      add: { contents, added in
        contents.added += 1
        contents.count += 1 + added.others.count - (contents.buckets[hash]?.count ?? 0)
        let entry = Entry(key: key, number: contents.added, source: added.source)
        contents.buckets[hash] = added.others + [entry]
        isOverLimit = contents.count > contents.limit
      })
    if isOverLimit { removeReleased() }
    return found.source
  }

  /// Removes the entries of released sources if the number of entries exceeds the limit.
  private func removeReleased() {
    let (known, added) = contents.withLock {
      ($0.count > $0.limit ? $0.buckets : [:], $0.added)
    }
    if known.isEmpty { return }
    let existing = known.compactMapValues { bucket in
      let existing = bucket.filter { $0.source != nil }
      return existing.isEmpty ? nil : existing
    }
    let count = existing.values.reduce(0) { $0 + $1.count }
    contents.withLock { contents in
      // If another thread has added an entry meanwhile, that thread removes the released entries.
      guard contents.added == added else { return }
      contents.buckets = existing
      contents.count = count
      contents.limit = max(16, count * 2)
    }
    withExtendedLifetime(known) {}
  }
}
