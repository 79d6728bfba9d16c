/// What stands for a definition, so that equal ones can be told.
struct DefinitionID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) { self.value = value }

  static func == (first: DefinitionID, second: DefinitionID) -> Bool {
    AnyHashable(first.value) == AnyHashable(second.value)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}

/// Sources derived from one, by their definitions, as long as somebody holds them.
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
    /// By the keys' hashes, since a user's code hashes and compares keys, and runs under no lock.
    var buckets: [Int: [Entry]] = [:]
    var count = 0
    var added: UInt64 = 0
    /// How many entries there may be before those that nobody holds are looked for.
    var limit = 16
  }

  private let contents = Protected(Contents())

  /// How many definitions are kept, those included that nobody holds any more.
  var count: Int { contents.withLock { $0.count } }

  /// Returns the source of a definition: the same for all who hold it at a time.
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
      // What has been replaced is released here, without the lock.
      withExtendedLifetime(known) {}
      if isAdded {
        dropUnheld()
        return source
      }
    }
  }

  /// Forgets what nobody holds, when there may be as much of it as of the rest.
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
      // Who has added one meanwhile looks for himself.
      guard contents.added == added else { return }
      contents.buckets = held
      contents.count = count
      contents.limit = max(16, count * 2)
    }
    withExtendedLifetime(known) {}
  }
}
