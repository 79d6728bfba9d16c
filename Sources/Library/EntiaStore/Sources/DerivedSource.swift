import EntiaDatabase

/// A source that applies a function to another source, and caches the last result.
///
/// An observer observes the underlying store, applies the function to each version of the state,
/// and ignores equal results. This has three effects:
/// - Observers are notified in the order of the commits.
/// - Nothing is computed without an observer or a read.
/// - Several derived values are always computed for the same version of the state.
final class DerivedSource<Input: Sendable, Value: Sendable>: StateSource {
  let definitions: SharedObjects? = SharedObjects()
  let tracking: ValueTracking? = ValueTracking()
  private let source: any StateSource<Input>
  private let transform: Derivation<Input, Value>.Transform
  let equality: Equality<Value>
  private let isChecked: Bool
  private let id: DefinitionID?
  private let cache = OutputCache()

  init(source: any StateSource<Input>, _ derivation: Derivation<Input, Value>) {
    self.source = source
    transform = derivation.transform
    equality = derivation.equality
    isChecked = derivation.isChecked
    id = derivation.id
  }

  var broadcaster: StoreBroadcaster { source.broadcaster }
  var outputs: OutputCache? { cache }
  var observedRegion: ObservedRegion { source.observedRegion }

  var subject: String {
    // The value consists of the observed rows, which `source.subject` describes.
    if source is RowSource<Input> { return source.subject }
    if let path = id?.keyPath {
      return source.isState ? pathName(path) : "\(pathName(path)) of \(source.subject)"
    }
    return "\(TypeName.of(Value.self)) of \(source.subject)"
  }

  var inspectedQuery: InspectedQuery? { source.inspectedQuery }

  var parts: [any ObserverSubject] { [source] }

  func value(at version: SourceVersion) -> StateVersion<Value> {
    let root = version.current.version
    // In a chain of derived values, reading the input of each would take quadratic time.
    if let known = cache.lockOutput(atRoot: root) {
      defer { cache.unlockOutput() }
      return known.takeUnretainedValue().of(Value.self)
    }
    let input = source.value(at: version)
    return cache.output(for: input, atRoot: root) { last in
      let known = last?.value.of(Value.self)
      let value = transform(input.value, known?.value)
      if isChecked { check(value, transform(input.value, known?.value)) }
      return equality.version(
        of: value, for: input, last: known, computedFor: last?.inputVersion)
    }.of(Value.self)
  }

  private func check(_ value: Value, _ again: Value) {
    if !equality.isKnown || equality.areSurelyEqual(value, again) { return }
    let error = UnstableDerivation(first: "\(value)", second: "\(again)")
    broadcaster.problems.report(StoreProblem(derived: Value.self, error))
  }
}

extension Derivation {
  /// Returns a source of the derivation: an existing source with an equal definition, if it is
  /// still retained; otherwise a new one.
  func core(of source: any StateSource<Input>) -> DerivedSource<Input, Output> {
    guard let id, let definitions = source.definitions else {
      return DerivedSource(source: source, self)
    }
    return definitions.object(id) { DerivedSource(source: source, self) }
  }
}

/// A source of the whole state of a store, for observers of some rows. The observers are notified
/// only of commits that changed one of these rows.
final class RowSource<State: Sendable>: StateSource {
  let broadcaster: StoreBroadcaster
  private let rows: RowObserverIndex.ObservedRows
  private let roots: [CollectionRoot]
  private let describe: @Sendable () -> String

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - broadcaster: The broadcaster of the store.
  ///   - rows: The rows.
  ///   - roots: The same rows, as roots of an eviction.
  ///   - describe: Returns the rows in words, for an inspection.
  init(
    _ broadcaster: StoreBroadcaster, _ rows: RowObserverIndex.ObservedRows,
    roots: [CollectionRoot], describe: @escaping @Sendable () -> String
  ) {
    self.broadcaster = broadcaster
    self.rows = rows
    self.roots = roots
    self.describe = describe
  }

  var subject: String { describe() }

  var observedRegion: ObservedRegion { .rows(rows) }

  func readRows(
    in version: AnyStateVersion, of database: DatabaseChangeDetector
  ) -> [CollectionRoot] {
    rows.detectors.contains { $0 === database } ? roots : []
  }

  func value(at version: SourceVersion) -> StateVersion<State> { version.current.of(State.self) }
}

/// A version of a store's state, without the type of the state, and the change that led to the
/// version, if known.
struct SourceVersion: Sendable {
  let current: AnyStateVersion
  var before: AnyStateVersion?
  var rows: RowChanges?
}

/// The error of a derivation that returned two different values for one input.
public struct UnstableDerivation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The first result, as text.
  let first: String
  /// The second result, as text.
  let second: String

  /// A description of the two results.
  public var description: String {
    "its function gave \(first), then \(second) for the same input"
  }
}

/// A derivation of a value from another value, written `.select(\.part)` or `.map { … }`.
///
/// If the output is `Equatable` or a comparison is provided, each derived value is compared with
/// the previous one; an equal value is not a change. The result of a derivation must depend only on
/// the input, because the result is cached.
public struct Derivation<Input: Sendable, Output: Sendable>: Sendable {
  /// Computes the output for an input. `last` is the output for the newest input so far.
  typealias Transform = @Sendable (_ input: Input, _ last: Output?) -> Output

  let transform: Transform
  var equality = Equality<Output>()
  /// The identity shared by equal derivations; `nil` for a derivation that is equal to no other.
  var id: DefinitionID?
  var isChecked = false

  /// Returns a derivation of a part of the input.
  ///
  /// Values derived by the same key path from the same value share one computation.
  public static func select(_ keyPath: any KeyPath<Input, Output> & Sendable) -> Derivation {
    var derivation = map { $0[keyPath: keyPath] }
    derivation.id = DefinitionID(keyPath)
    return derivation
  }

  /// Returns a derivation by a function of the input.
  ///
  /// The function runs on the thread that reads or delivers the value, and never under a lock.
  public static func map(_ transform: @escaping @Sendable (Input) -> Output) -> Derivation {
    Derivation { input, _ in transform(input) }
  }

  /// Returns a copy that treats a new derived value as unchanged if `areEqual` returns `true` for
  /// the previous and the new value.
  ///
  /// - Returns: A derivation that is equal to no other.
  public func removingDuplicates(
    by areEqual: @escaping @Sendable (Output, Output) -> Bool
  ) -> Derivation {
    var derivation = self
    derivation.equality = Equality(by: areEqual)
    derivation.id = nil
    return derivation
  }

  /// Returns a copy that shares its computation. Values that are derived with an equal ID from the
  /// same value are computed once, as long as one of these derived values is retained.
  ///
  /// - Parameter id: The identity of the function. Equal IDs must denote functions with equal
  ///   results.
  /// - Returns: A derivation that is equal to derivations with the same ID and types.
  public func shared(id: some Hashable & Sendable) -> Derivation {
    var derivation = self
    derivation.id = DefinitionID(id)
    return derivation
  }

  /// Returns a copy that computes each value twice in debug builds. If the two values differ, the
  /// function does not depend on its input alone. The problem is then reported to the store's
  /// logger and problem handler.
  ///
  /// - Returns: A derivation that computes once in release builds.
  public func checked() -> Derivation {
    #if DEBUG
      var derivation = self
      derivation.isChecked = true
      return derivation
    #else
      return self
    #endif
  }
}
