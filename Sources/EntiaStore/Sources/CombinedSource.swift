/// A source that combines several sources of one store; its value is a function of their values.
///
/// All are read in the same version of the state, so that their values are always consistent.
final class CombinedSource<Value: Sendable>: StateSource {
  private struct Memory {
    let inputVersions: [UInt64]
    let rootVersion: UInt64
    let output: StateVersion<Value>
  }

  let broadcaster: StoreBroadcaster
  let interest: ObservedRegion
  let tracking: ValueTracking? = ValueTracking()
  private let look: @Sendable (SourceVersion) -> CombinedLook<Value>
  private let equality: Equality<Value>
  private let memory = Mutex<Memory?>(nil)

  init(
    broadcaster: StoreBroadcaster, interests: [ObservedRegion], equality: Equality<Value>,
    look: @escaping @Sendable (SourceVersion) -> CombinedLook<Value>
  ) {
    self.broadcaster = broadcaster
    self.look = look
    self.equality = equality
    interest = interests.dropFirst().reduce(interests.first ?? .states) { $0.union($1) }
  }

  func value(at version: SourceVersion) -> StateVersion<Value> {
    let remembered = memory.withLock { $0 }
    if let remembered, remembered.rootVersion == version.current.version {
      return remembered.output
    }
    let look = look(version)
    let output: StateVersion<Value>
    if let remembered, remembered.inputVersions == look.versions {
      output = remembered.output
    } else {
      let value = look.make()
      if let remembered, remembered.rootVersion < version.current.version,
        equality.areSurelyEqual(remembered.output.value, value)
      {
        output = remembered.output
      } else {
        output = StateVersion(value, of: version.current)
      }
    }
    let outgrown = memory.withLock { memory -> Memory? in
      if let memory, memory.rootVersion >= version.current.version { return nil }
      let outgrown = memory
      memory = Memory(
        inputVersions: look.versions, rootVersion: version.current.version, output: output)
      return outgrown
    }
    withExtendedLifetime(outgrown) {}
    return output
  }

  func observe(
    on target: DeliveryTarget, dropsFirst: Bool,
    receive: @escaping @Sendable (StateVersion<Value>, _ previous: StateVersion<Value>?) -> Void
  ) -> StoreSubscription {
    observeValues(by: equality, on: target, dropsFirst: dropsFirst, receive: receive)
  }
}

extension ObservedRegion {
  /// Returns the interest of an observer with either of two interests in one store.
  fileprivate func union(_ other: ObservedRegion) -> ObservedRegion {
    guard case .rows(var first) = self, case .rows(let second) = other else { return .states }
    for detector in second.detectors where !first.detectors.contains(where: { $0 === detector }) {
      first.detectors.append(detector)
    }
    let known = Set(first.keys)
    first.keys += second.keys.filter { !known.contains($0) }
    first.routes += second.routes
    return .rows(first)
  }
}
