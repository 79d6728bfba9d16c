import EntiaDatabase

/// A source that applies a function to a database. The function also returns the rows that it read,
/// and observers are notified only of changes of those rows.
final class ReadSource<State: Sendable, Storage: NormalizedStorageType, Value: Sendable>:
  StateSource
{
  typealias Read = @Sendable (Storage) -> (value: Value, keys: [RowKey])

  private struct Cached: VersionedResult {
    let inputVersion: UInt64
    let output: StateVersion<Value>
    let keys: [RowKey]
  }

  let broadcaster: StoreBroadcaster
  /// All rows that the function may ever read. Observers of values that are derived from this
  /// source observe these rows.
  let observedRegion: ObservedRegion
  let definitions: SharedObjects? = SharedObjects()
  let tracking: ValueTracking? = ValueTracking()
  private let path: any KeyPath<State, Storage> & Sendable
  private let read: Read
  private let describe: @Sendable () -> String
  let equality = Equality<Value>()
  private let cache = VersionCache<Cached>()
  private let detectors: [DatabaseChangeDetector]
  /// The entities that the source reads besides those in its value.
  private let roots: [CollectionRoot]
  /// The request whose answer the source reads, if there is one.
  let request: AnsweredRequest?

  init(
    broadcaster: StoreBroadcaster, at path: any KeyPath<State, Storage> & Sendable,
    _ all: RowObserverIndex.ObservedRows, roots: [CollectionRoot] = [],
    request: AnsweredRequest? = nil,
    describe: @escaping @Sendable () -> String, read: @escaping Read
  ) {
    self.request = request
    self.broadcaster = broadcaster
    self.path = path
    self.read = read
    self.describe = describe
    detectors = all.detectors
    self.roots = roots
    observedRegion = .rows(all)
  }

  var subject: String { describe() }

  func readRows(
    in version: AnyStateVersion, of database: DatabaseChangeDetector
  ) -> [CollectionRoot] {
    guard detectors.contains(where: { $0 === database }) else { return [] }
    return roots + CollectionRoot.entities(in: value(at: SourceVersion(current: version)).value)
  }

  func value(at version: SourceVersion) -> StateVersion<Value> {
    result(for: version.current.of(State.self)).output
  }

  func read(at version: SourceVersion) -> (value: StateVersion<Value>, reads: RowReads?) {
    let result = result(for: version.current.of(State.self))
    return (result.output, RowReads(keys: result.keys, version: version.current.version))
  }

  private func result(for input: StateVersion<State>) -> Cached {
    cache.result(for: input.version) { last in
      let (value, keys) = read(input.value[keyPath: path])
      let output = equality.version(
        of: value, for: input, last: last?.output, computedFor: last?.inputVersion)
      return Cached(inputVersion: input.version, output: output, keys: keys)
    }
  }
}
