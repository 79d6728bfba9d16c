public import EntiaDatabase

/// Law 19 of a database: a fetch with indexes returns the result of a fetch without indexes. The
/// law also applies to the pages of a fetch, which may begin after any row. The law is checked with
/// random fetches after every step of random histories.
///
/// ```swift
/// try FetchLaws(LibrarySubject.self) { random in
///   let year = random.number(in: 1990..<1996)
///   return FetchDescriptor<Book>(
///     predicate: #Predicate { $0.year > year }, sortBy: [SortDescriptor(\.year)])
/// }.check()
/// ```
public struct FetchLaws<Subject: LawSubject, Entity: EntityType> {
  /// The database on which the law is checked.
  package typealias Storage = Subject.Storage

  private let runs: LawRuns
  private let makeDescriptor: (inout SeededGenerator) -> FetchDescriptor<Entity>
  /// The fetch function under test.
  package var fetch: (Storage, FetchDescriptor<Entity>) -> [Entity] = { $0.fetch($1) }

  /// Creates the law for a subject.
  /// - Parameters:
  ///   - subject: The subject, which edits the database.
  ///   - runs: The histories.
  ///   - makeDescriptor: Creates a random fetch descriptor. It must depend only on the random
  ///     numbers.
  public init(
    _ subject: Subject.Type = Subject.self, runs: LawRuns = LawRuns(),
    makeDescriptor: @escaping (inout SeededGenerator) -> FetchDescriptor<Entity>
  ) {
    self.runs = runs
    self.makeDescriptor = makeDescriptor
  }

  /// Checks the law.
  /// - Throws: `LawViolation` if the law does not hold, `LawSettingsError` if the environment is
  ///   invalid.
  public func check() throws {
    let operations = StorageOperations<Storage>()
    let statement = "every fetch with any index equals the same fetch without it"
    try runs.run(law: 19, statement: statement) { random, step in
      var history = StorageHistory(Subject.self)
      var rows: [Entity] = []
      for index in 0..<runs.steps {
        step = index
        history.keep(&random)
        try history.advance(operations, &random)
        // A page may also begin after a row of the previous step that this step has changed.
        let earlier = rows
        rows = history.storage.scan(FetchDescriptor())
        let starts = earlier + rows
        for _ in 0..<4 {
          let descriptor = makeDescriptor(&random)
          try check(descriptor, in: history.storage)
          if starts.isEmpty { continue }
          let start = starts[random.number(in: 0..<starts.count)]
          try check(descriptor, after: FetchCursor(after: start), in: history.storage)
        }
      }
    }
  }

  private func check(
    _ descriptor: FetchDescriptor<Entity>, after cursor: FetchCursor<Entity>, in storage: Storage
  ) throws {
    try requireEqual(
      storage.fetchPage(descriptor, after: cursor).entities,
      storage.scanPage(descriptor, after: cursor).entities, "a page after \(cursor.entity)")
  }

  private func check(_ descriptor: FetchDescriptor<Entity>, in storage: Storage) throws {
    let found = fetch(storage, descriptor)
    let explanation = storage.explain(descriptor)
    try requireEqual(found, storage.scan(descriptor), "a fetch served so: \(explanation)")
    let ids = storage.fetchIDs(descriptor)
    try requireEqual(ids, found.map(\.entityID), "the IDs of a fetch served so: \(explanation)")
    let count = storage.fetchCount(descriptor)
    try requireEqual(count, found.count, "the count of a fetch served so: \(explanation)")
  }
}
