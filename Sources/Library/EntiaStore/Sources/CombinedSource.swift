import EntiaDatabase

/// A source that combines several sources of one store; its value is a function of their values.
///
/// All sources are read in the same version of the state, so that their values are always
/// consistent.
final class CombinedSource<Value: Sendable>: StateSource {
  private struct Cached: VersionedResult {
    let inputVersion: UInt64
    let partVersions: [UInt64]
    let output: StateVersion<Value>
  }

  let broadcaster: StoreBroadcaster
  let observedRegion: ObservedRegion
  let tracking: ValueTracking? = ValueTracking()
  let parts: [any ObserverSubject]
  private let read: @Sendable (SourceVersion) -> CombinedInputs<Value>
  let equality = Equality<Value>()
  private let cache = VersionCache<Cached>()

  init(
    broadcaster: StoreBroadcaster, regions: [ObservedRegion], of parts: [any ObserverSubject],
    read: @escaping @Sendable (SourceVersion) -> CombinedInputs<Value>
  ) {
    self.broadcaster = broadcaster
    self.read = read
    self.parts = parts
    observedRegion = regions.dropFirst().reduce(regions.first ?? .states) { $0.union($1) }
  }

  var subject: String {
    "\(TypeName.of(Value.self)) of " + parts.map(\.subject).joined(separator: " and ")
  }

  func value(at version: SourceVersion) -> StateVersion<Value> {
    let root = version.current
    return cache.result(for: root.version) { last in
      let inputs = read(version)
      let isSame = last?.partVersions == inputs.versions
      let output =
        (isSame ? last?.output : nil)
        ?? equality.version(
          of: inputs.combine(), for: root, last: last?.output, computedFor: last?.inputVersion)
      return Cached(inputVersion: root.version, partVersions: inputs.versions, output: output)
    }.output
  }
}

extension ObservedRegion {
  /// Returns the union of two regions. Both regions must belong to one store.
  fileprivate func union(_ other: ObservedRegion) -> ObservedRegion {
    guard case .rows(var union) = self, case .rows(let other) = other else { return .states }
    for detector in other.detectors where !union.detectors.contains(where: { $0 === detector }) {
      union.detectors.append(detector)
    }
    let known = Set(union.keys)
    union.keys += other.keys.filter { !known.contains($0) }
    union.fields += other.fields
    return .rows(union)
  }
}

/// The versions of several values, and the function that combines these values.
struct CombinedInputs<Value: Sendable>: Sendable {
  let versions: [UInt64]
  let combine: @Sendable () -> Value
}
