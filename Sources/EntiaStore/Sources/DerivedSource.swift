/// A function of another source, with its last result cached.
///
/// It stores only that result. An observer of it observes the underlying store, applies the
/// function to each version, and ignores versions without a change. Every observer is therefore
/// notified in the store's own order, nothing is computed without an observer or a read, and
/// several derived values are always computed for the same version of the state.
final class DerivedSource<Input: Sendable, Value: Sendable>: StateSource {
  let definitions: SharedDefinitions? = SharedDefinitions()
  let tracking: ValueTracking? = ValueTracking()
  private let source: any StateSource<Input>
  private let transform: @Sendable (Input) -> Value
  private let equality: Equality<Value>
  private let isChecked: Bool
  private let results = OutputMemory()

  init(source: any StateSource<Input>, _ derivation: Derivation<Input, Value>) {
    self.source = source
    transform = derivation.transform
    equality = derivation.equality
    isChecked = derivation.isChecked
  }

  convenience init(
    source: any StateSource<Input>, transform: @escaping @Sendable (Input) -> Value
  ) {
    self.init(source: source, .map(transform))
  }

  var broadcaster: StoreBroadcaster { source.broadcaster }
  var outputs: OutputMemory? { results }
  var interest: ObservedRegion { source.interest }

  func value(at version: SourceVersion) -> StateVersion<Value> {
    output(for: source.value(at: version), atRoot: version.current.version)
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (StateVersion<Value>, _ previous: StateVersion<Value>?) -> Void
  ) -> StoreSubscription {
    observeValues(by: equality, on: target, dropsFirst: dropsFirst, receive: receive)
  }

  /// Returns the result for a version of the input: the cached one if it is still valid.
  private func output(for input: StateVersion<Input>, atRoot root: UInt64) -> StateVersion<Value> {
    if let known = results.output(ofInput: input.version, atRoot: root) {
      return known.of(Value.self)
    }
    let remembered = results.last
    let value = transform(input.value)
    if isChecked { check(value, input.value) }
    let output: StateVersion<Value>
    if let remembered, remembered.inputVersion < input.version,
      equality.areSurelyEqual(remembered.snapshot.of(Value.self).value, value)
    {
      // Keeping the old version shows derived values that nothing changed.
      output = remembered.snapshot.of(Value.self)
    } else {
      output = StateVersion(value, of: input)
    }
    results.remember(
      OutputMemory.Output(inputVersion: input.version, rootVersion: root, snapshot: output))
    return output
  }

  private func check(_ value: Value, _ input: Input) {
    let again = transform(input)
    if !equality.isKnown || equality.areSurelyEqual(value, again) { return }
    let error = UnstableDerivation(first: "\(value)", second: "\(again)")
    broadcaster.problems.report(StoreProblem(derived: Value.self, error))
  }
}

extension Derivation {
  /// Returns the source of the derivation: the existing one, if a source with an equal definition
  /// is still retained.
  func core(of source: any StateSource<Input>) -> DerivedSource<Input, Output> {
    guard let id, let definitions = source.definitions else {
      return DerivedSource(source: source, self)
    }
    return definitions.source(id) { DerivedSource(source: source, self) }
  }
}
