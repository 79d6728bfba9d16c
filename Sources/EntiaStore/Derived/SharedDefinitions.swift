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
    weak var source: (any AnyObject & Sendable)?
  }

  private struct Contents {
    var entries: [Key: Entry] = [:]
    var changes: UInt64 = 0
    /// How many entries there may be before those that nobody holds are looked for.
    var limit = 16
  }

  private let contents = Protected(Contents())

  /// How many definitions are kept, those included that nobody holds any more.
  var count: Int { contents.withLock { $0.entries.count } }

  /// Returns the source of a definition: the same for all who hold it at a time.
  func source<Source: AnyObject & Sendable>(
    _ id: DefinitionID, make: () -> Source
  ) -> Source {
    let key = Key(id: id, output: ObjectIdentifier(Source.self))
    while true {
      let (known, changes) = contents.withLock { ($0.entries, $0.changes) }
      // IDs are compared by a user's code, so it is done without the lock.
      if let source = known[key]?.source as? Source { return source }
      let source = make()
      var entries = known
      entries[key] = Entry(source: source)
      var limit = contents.withLock { $0.limit }
      if entries.count > limit {
        entries = entries.filter { $0.value.source != nil }
        limit = max(16, entries.count * 2)
      }
      let isAdded = contents.withLock { contents in
        guard contents.changes == changes else { return false }
        swap(&contents.entries, &entries)
        contents.changes += 1
        contents.limit = limit
        return true
      }
      // What has been replaced is released here, without the lock.
      withExtendedLifetime((known, entries)) {}
      if isAdded { return source }
    }
  }
}
