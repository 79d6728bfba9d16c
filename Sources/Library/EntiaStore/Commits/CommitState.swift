/// The state of a store's commits, which only the thread that holds the commit lock accesses.
///
/// Sendable despite its `var` properties: the commit lock protects them. Their accesses are not
/// checked for exclusivity, because each check costs a hundredth of a commit. The thread that holds
/// the lock may only enter them again through the `deinit` of a user's value, so replaced values
/// must be released after the access that replaces them.
@usableFromInline
final class CommitState<State: Sendable>: @unchecked Sendable {
  /// The published version, which the holder of the commit lock reads without another lock.
  @exclusivity(unchecked) @usableFromInline var current: StateVersion<State>
  /// Whether a middleware or the state's own hook runs at commits.
  @exclusivity(unchecked) @usableFromInline var hasHooks = false
  /// Whether there are optimistic layers.
  @exclusivity(unchecked) @usableFromInline var hasLayers = false
  /// The recorders of the commits, for inspections.
  @exclusivity(unchecked) var recorders: [CommitRecorder] = []
  /// Whether there are recorders.
  @exclusivity(unchecked) @usableFromInline var isInspected = false
  /// Whether there are, or were, observers of commits.
  @exclusivity(unchecked) @usableFromInline var isObserved = false
  /// Whether there are, or were, observers that record each change of the committed state.
  @exclusivity(unchecked) @usableFromInline var isRecorded = false
  /// Whether the state below the layers was replaced since the commit lock was acquired.
  @exclusivity(unchecked) @usableFromInline var hasNewBase = false
  /// Whether the state is known to have no hook of its own.
  var hasDefaultReduction = false
  /// Whether events have been posted since the commit lock was acquired.
  @exclusivity(unchecked) @usableFromInline var mustDeliver = false
  /// The problems to report after the commit lock is released.
  @exclusivity(unchecked) @usableFromInline var problems: [StoreProblem] = []

  init(current: StateVersion<State>) { self.current = current }
}
