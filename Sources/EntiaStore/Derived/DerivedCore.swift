/// A function of another source, whose last result is remembered.
///
/// It holds nothing but that result: whoever observes it observes the store behind it, looks at
/// each version through the function, and passes over what did not change. So every observer is
/// told in the store's own order, nothing is computed that nobody asks for, and several derived
/// values are always looked at in one and the same version of the state.
final class DerivedCore<Input: Sendable, Value: Sendable>: StateSource {
  private struct Memory {
    let inputVersion: UInt64
    let output: Snapshot<Value>
  }

  private let source: any StateSource<Input>
  private let transform: @Sendable (Input) -> Value
  private let equality = Equality<Value>()
  private let memory = Protected<Memory?>(nil)

  init(source: any StateSource<Input>, transform: @escaping @Sendable (Input) -> Value) {
    self.source = source
    self.transform = transform
  }

  var current: Snapshot<Value> { output(for: source.current) }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (Snapshot<Value>, _ previous: Snapshot<Value>?) -> Void
  ) -> StoreSubscription {
    let last = Protected<Snapshot<Value>?>(nil)
    return source.observe(on: target, dropsFirst: dropsFirst) { [self] input, previousInput in
      let previous = last.withLock { $0 } ?? previousInput.map(output(for:))
      let output = output(for: input)
      if let previous, isSame(previous, output) { return }
      // The observer's calls come one at a time, so nobody else has changed `last` meanwhile.
      let outgrown = last.withLock { last in
        let outgrown = last
        last = output
        return outgrown
      }
      withExtendedLifetime(outgrown) {}
      receive(output, previous)
    }
  }

  /// The result for a version of the input: the remembered one when it is still right.
  private func output(for input: Snapshot<Input>) -> Snapshot<Value> {
    let remembered = memory.withLock { $0 }
    if let remembered, remembered.inputVersion == input.version { return remembered.output }
    let value = transform(input.value)
    let output: Snapshot<Value>
    if let remembered, remembered.inputVersion < input.version,
      equality.areSurelyEqual(remembered.output.value, value)
    {
      // Keeping the old version tells whatever is derived from this that nothing changed.
      output = remembered.output
    } else {
      output = Snapshot(value, version: input.version, commitName: input.commitName)
    }
    let outgrown = memory.withLock { memory -> Memory? in
      if let memory, memory.inputVersion >= input.version { return nil }
      let outgrown = memory
      memory = Memory(inputVersion: input.version, output: output)
      return outgrown
    }
    withExtendedLifetime(outgrown) {}
    return output
  }

  private func isSame(_ first: Snapshot<Value>, _ second: Snapshot<Value>) -> Bool {
    first.version == second.version || equality.areSurelyEqual(first.value, second.value)
  }
}
