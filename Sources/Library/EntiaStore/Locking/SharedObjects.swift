/// Objects that are shared by their definitions, such as the sources derived from one source. The
/// objects are not retained.
final class SharedObjects: Sendable {
  private struct Key: Hashable, Sendable {
    let id: DefinitionID
    let type: ObjectIdentifier
  }

  private struct Entry: Sendable {
    let key: Key
    let number: UInt64
    weak var object: (any AnyObject & Sendable)?
  }

  private struct Contents {
    /// The entries by the hash value of their key. A key itself is not used as an index, because
    /// hashing and comparing keys runs user code, which must not run under a lock.
    var buckets: [Int: [Entry]] = [:]
    var count = 0
    var added: UInt64 = 0
    /// The number of entries at which the entries of released objects are removed.
    var limit = 16
  }

  private let contents = Mutex(Contents())

  /// The number of stored definitions, including those whose object has been released.
  var count: Int { contents.withLock { $0.count } }

  /// The existing objects, in the order in which they were added.
  var objects: [any AnyObject & Sendable] {
    entries.sorted { $0.number < $1.number }.compactMap(\.object)
  }

  /// The existing objects, in no particular order.
  var unorderedObjects: [any AnyObject & Sendable] { entries.compactMap(\.object) }

  private var entries: [Entry] {
    contents.withLock { $0.count == 0 ? [] : $0.buckets.values.flatMap { $0 } }
  }

  /// Returns the object of a type with a definition. Concurrent callers receive the same object.
  func object<Object: AnyObject & Sendable>(
    _ id: DefinitionID, make: () -> Object
  ) -> Object {
    let key = Key(id: id, type: ObjectIdentifier(Object.self))
    let hash = key.hashValue
    typealias Found = (object: Object, others: [Entry])
    var isOverLimit = false
    let found: Found = contents.findOrAdd(
      read: { contents -> ([Entry], UInt64?) in
        let bucket = contents.buckets[hash] ?? []
        return (bucket, bucket.last?.number)
      },
      find: { bucket -> Found? in
        let object = bucket.first { $0.key == key }?.object as? Object
        return object.map { ($0, []) }
      },
      make: { bucket, _ in (make(), bucket.filter { $0.key != key }) },
      add: { contents, added in
        contents.added += 1
        contents.count += 1 + added.others.count - (contents.buckets[hash]?.count ?? 0)
        let entry = Entry(key: key, number: contents.added, object: added.object)
        contents.buckets[hash] = added.others + [entry]
        isOverLimit = contents.count > contents.limit
      })
    if isOverLimit { removeReleased() }
    return found.object
  }

  /// Adds an object that has no definition.
  func add(_ object: some AnyObject & Sendable) {
    _ = self.object(DefinitionID(UniqueIdentity())) { object }
  }

  /// Removes the entries of released objects if the number of entries exceeds the limit.
  private func removeReleased() {
    let (known, added) = contents.withLock {
      ($0.count > $0.limit ? $0.buckets : [:], $0.added)
    }
    if known.isEmpty { return }
    let existing = known.compactMapValues { bucket in
      let existing = bucket.filter { $0.object != nil }
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

/// The identity of a definition: for example, a key path, or several values together. Two
/// definitions with equal identities share one object, if the types of their objects are equal.
///
/// Sendable although `AnyHashable` is not: the values are `Sendable`.
struct DefinitionID: Hashable, @unchecked Sendable {
  private let values: [AnyHashable]

  init(_ values: any Hashable & Sendable...) { self.values = values.map { AnyHashable($0) } }

  /// The key path that is the identity, or `nil` if the identity is another value.
  var keyPath: AnyKeyPath? { values.count == 1 ? values[0].base as? AnyKeyPath : nil }
}

/// An identity that equals only itself.
final class UniqueIdentity: Hashable, Sendable {
  static func == (lhs: UniqueIdentity, rhs: UniqueIdentity) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
