/// The identity of a definition.
struct DefinitionID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) { self.value = value }

  static func == (first: DefinitionID, second: DefinitionID) -> Bool {
    AnyHashable(first.value) == AnyHashable(second.value)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}

/// The sources derived from one source, by their definitions, as long as they are retained
/// elsewhere.
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
    /// Indexed by hash, because hashing and comparing keys runs user code, which must not run under
    /// a lock.
    var buckets: [Int: [Entry]] = [:]
    var count = 0
    var added: UInt64 = 0
    /// The number of entries at which released sources are removed.
    var limit = 16
  }

  private let contents = Mutex(Contents())

  /// The number of stored definitions, including those whose source has been released.
  var count: Int { contents.withLock { $0.count } }

  /// Returns the source of a definition: the same one for concurrent users.
  func source<Source: AnyObject & Sendable>(
    _ id: DefinitionID, make: () -> Source
  ) -> Source {
    let key = Key(id: id, output: ObjectIdentifier(Source.self))
    let hash = key.hashValue
    while true {
      let known = contents.withLock { $0.buckets[hash] ?? [] }
      if let source = known.first(where: { $0.key == key })?.source as? Source { return source }
      let source = make()
      var bucket = known.filter { $0.key != key }
      let isAdded = contents.withLock { contents in
        guard contents.buckets[hash]?.last?.number == known.last?.number else { return false }
        contents.added += 1
        bucket.append(Entry(key: key, number: contents.added, source: source))
        contents.count += bucket.count - known.count
        contents.buckets[hash] = bucket
        return true
      }
      // The replaced entries are released here, without the lock.
      withExtendedLifetime(known) {}
      if isAdded {
        dropUnheld()
        return source
      }
    }
  }

  /// Removes entries of released sources, when these may be as many as the others.
  private func dropUnheld() {
    let (known, added) = contents.withLock {
      ($0.count > $0.limit ? $0.buckets : [:], $0.added)
    }
    if known.isEmpty { return }
    let held = known.compactMapValues { bucket in
      let held = bucket.filter { $0.source != nil }
      return held.isEmpty ? nil : held
    }
    let count = held.values.reduce(0) { $0 + $1.count }
    contents.withLock { contents in
      // A thread that has added an entry meanwhile removes released entries itself.
      guard contents.added == added else { return }
      contents.buckets = held
      contents.count = count
      contents.limit = max(16, count * 2)
    }
    withExtendedLifetime(known) {}
  }
}
