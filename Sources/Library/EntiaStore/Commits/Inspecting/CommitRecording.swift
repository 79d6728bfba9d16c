/// The end of a commit that has been recorded by inspections.
///
/// A class, because the code of every commit handles an optional one.
@usableFromInline
final class CommitRecording {
  let entries: [(recorder: CommitRecorder, entry: CommitRecorder.Recorded)]

  init(_ entries: [(recorder: CommitRecorder, entry: CommitRecorder.Recorded)]) {
    self.entries = entries
  }
}

extension StoreCore {
  /// Adds a recorder, for the commits that begin later.
  func add(_ recorder: CommitRecorder) {
    changeRecorders { $0.append(recorder) }
  }

  /// Removes a recorder.
  func remove(_ recorder: CommitRecorder) {
    changeRecorders { recorders in recorders.removeAll { $0 === recorder } }
  }

  private func changeRecorders(_ change: (inout [CommitRecorder]) -> Void) {
    let isInside = commitLock.isHeldByThisThread
    if !isInside { commitLock.lock() }
    change(&commitState.recorders)
    commitState.isInspected = !commitState.recorders.isEmpty
    if !isInside { commitLock.unlock() }
  }

  /// Notes the time at which a commit begins, under the commit lock.
  @usableFromInline
  func beginRecording() {
    for recorder in commitState.recorders { recorder.begin() }
  }

  /// Records the end of a commit, under the commit lock.
  @usableFromInline
  func record(
    _ request: CommitRequest, from before: StateVersion<State>, to after: StateVersion<State>
  ) -> CommitRecording? {
    guard let outcome = outcome(of: request, from: before, to: after) else { return nil }
    var isChanged = false
    if case .changed = outcome { isChanged = true }
    let commit = StoreCommit(
      request.metadata, duration: .zero, isChanged: isChanged, from: before, to: after)
    return CommitRecording(
      commitState.recorders.compactMap { recorder in
        recorder.record(commit, outcome).map { (recorder, $0) }
      })
  }

  /// Returns the outcome of a commit to record, or `nil` if nothing was committed.
  private func outcome(
    of request: CommitRequest, from before: StateVersion<State>, to after: StateVersion<State>
  ) -> CommitRecorder.Outcome? {
    switch request.outcome {
    case .refused(let refusal): .refused(refusal)
    case .failed(let error): .failed(error)
    case .changed: .changed
    case .unchanged: .unchanged
    // Changes of optimistic layers have no outcome.
    case nil: before.version != after.version ? .changed : nil
    }
  }

  /// Notes that the observers of a commit have been called; must be called without a lock.
  @usableFromInline
  func finish(_ recording: CommitRecording) {
    for (recorder, entry) in recording.entries { recorder.finish(entry) }
  }
}
