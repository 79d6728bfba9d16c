/// A function of another source, whose last result is remembered.
///
/// It holds nothing but that result: whoever observes it observes the store behind it, looks at
/// each version through the function, and passes over what did not change. So every observer is
/// told in the store's own order, nothing is computed that nobody asks for, and several derived
/// values are always looked at in one and the same version of the state.
final class DerivedCore<Input: Sendable, Value: Sendable>: StateSource {
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

  var hub: StoreHub { source.hub }
  var outputs: OutputMemory? { results }
  var interest: StoreInterest { source.interest }

  func value(at version: SourceVersion) -> Snapshot<Value> {
    output(for: source.value(at: version), atRoot: version.current.version)
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<Value>, _ previous: Snapshot<Value>?) -> Void
  ) -> StoreSubscription {
    observeValues(by: equality, on: target, dropsFirst: dropsFirst, receive: receive)
  }

  /// The result for a version of the input: the remembered one when it is still right.
  private func output(for input: Snapshot<Input>, atRoot root: UInt64) -> Snapshot<Value> {
    if let known = results.output(ofInput: input.version, atRoot: root) {
      return known.of(Value.self)
    }
    let remembered = results.last
    let value = transform(input.value)
    if isChecked { check(value, input.value) }
    let output: Snapshot<Value>
    if let remembered, remembered.inputVersion < input.version,
      equality.areSurelyEqual(remembered.snapshot.of(Value.self).value, value)
    {
      // Keeping the old version tells whatever is derived from this that nothing changed.
      output = remembered.snapshot.of(Value.self)
    } else {
      output = Snapshot(value, of: input)
    }
    results.remember(
      OutputMemory.Output(inputVersion: input.version, rootVersion: root, snapshot: output))
    return output
  }

  private func check(_ value: Value, _ input: Input) {
    let again = transform(input)
    if !equality.isKnown || equality.areSurelyEqual(value, again) { return }
    let error = UnstableDerivation(first: "\(value)", second: "\(again)")
    hub.problems.report(StoreProblem(derived: Value.self, error))
  }
}

extension Derivation {
  /// The source that derives from another: the one that there is already, if an equal definition is
  /// held by somebody.
  func core(of source: any StateSource<Input>) -> DerivedCore<Input, Output> {
    guard let id, let definitions = source.definitions else {
      return DerivedCore(source: source, self)
    }
    return definitions.source(id) { DerivedCore(source: source, self) }
  }
}
