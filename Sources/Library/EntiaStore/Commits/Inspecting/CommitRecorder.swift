/// The last commits of a store, recorded for an inspection.
package final class CommitRecorder: Sendable {
  /// The outcome of a commit.
  package enum Outcome: Sendable {
    /// The commit changed the state.
    case changed
    /// The commit led to an equal state.
    case unchanged
    /// A middleware or a rule refused the commit.
    case refused(any Error)
    /// The closure of the commit threw an error.
    case failed(any Error)
  }

  /// A recorded commit.
  package struct Entry: Sendable {
    /// The number of the commit since the beginning of the inspection, from 1.
    package let number: Int
    /// The outcome.
    package let outcome: Outcome
    /// The time from the acquisition of the commit lock to its release.
    package let duration: Duration
    /// The time that the committing thread spent calling observers, or `nil` until it is done.
    package fileprivate(set) var delivery: Duration?
    /// The commit, whose changed parts are computed on demand.
    package let commit: StoreCommit
  }

  /// A recorded entry, and the old entry that it replaced. The caller releases the old entry
  /// without a lock.
  struct Recorded: Sendable {
    let entry: Entry
    let end: Duration
    let replaced: Entry?
  }

  private struct Contents {
    /// The last entries. The entry with the number *n* is at index (*n* - 1) modulo the limit.
    var entries: [Entry] = []
    var count = 0
    /// The time at which the current commit began.
    var start: Duration?
  }

  private let limit: Int
  private let clock: @Sendable () -> Duration
  private let contents = Mutex(Contents())
  private let observer = Mutex<(@Sendable (Entry) -> Void)?>(nil)

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of kept commits.
  ///   - clock: Returns the current time, relative to a fixed instant.
  package init(limit: Int, clock: @escaping @Sendable () -> Duration) {
    self.limit = max(0, limit)
    self.clock = clock
  }

  /// The number of commits that have been recorded so far.
  package var count: Int { contents.withLock { $0.count } }

  /// The last commits, in commit order.
  package var entries: [Entry] {
    let (entries, count) = contents.withLock { ($0.entries, $0.count) }
    if entries.isEmpty || count <= limit { return entries }
    let oldest = count % limit
    return Array(entries[oldest...] + entries[..<oldest])
  }

  /// Replaces the closure that is called after each commit, without a lock.
  package func onCommit(_ body: (@Sendable (Entry) -> Void)?) {
    observer.replace { $0 = body }
  }

  /// Releases the recorded commits, and the closure that is called after each commit. The number of
  /// commits remains.
  package func removeAll() {
    onCommit(nil)
    contents.replace { $0 = Contents(count: $0.count) }
  }

  /// Records the time at which a commit begins, under the commit lock.
  func begin() {
    let now = clock()
    contents.withLock { $0.start = now }
  }

  /// Records the end of a commit, under the commit lock.
  ///
  /// - Returns: The entry, or `nil` for a commit that began before the recorder was added.
  func record(
    _ commit: StoreCommit, _ outcome: Outcome
  ) -> Recorded? {
    let end = clock()
    return contents.withLock { contents in
      guard let start = contents.start.take() else { return nil }
      contents.count += 1
      let entry = Entry(
        number: contents.count, outcome: outcome, duration: end - start, commit: commit)
      var replaced: Entry?
      if contents.entries.count < limit {
        contents.entries.append(entry)
      } else if limit > 0 {
        let index = (contents.count - 1) % limit
        replaced = contents.entries[index]
        contents.entries[index] = entry
      }
      return Recorded(entry: entry, end: end, replaced: replaced)
    }
  }

  /// Records that the observers of a commit have been called, and calls the closure that was passed
  /// to `onCommit(_:)`.
  func finish(_ recorded: Recorded) {
    var entry = recorded.entry
    entry.delivery = clock() - recorded.end
    contents.withLock { [entry] contents in
      if limit == 0 { return }
      let index = (entry.number - 1) % limit
      guard contents.entries.indices.contains(index), contents.entries[index].number == entry.number
      else { return }
      contents.entries[index].delivery = entry.delivery
    }
    observer.withLock { $0 }?(entry)
  }
}

/// The entries that the recorders made of one commit.
///
/// This is a class, so that the `CommitRecording?` that every commit handles is only a pointer.
@usableFromInline
final class CommitRecording {
  let entries: [(recorder: CommitRecorder, entry: CommitRecorder.Recorded)]

  init(_ entries: [(recorder: CommitRecorder, entry: CommitRecorder.Recorded)]) {
    self.entries = entries
  }
}

extension StoreCore {
  /// Adds a recorder of the commits that begin after this call.
  func add(_ recorder: CommitRecorder) { changeRecorders { $0.append(recorder) } }

  func remove(_ recorder: CommitRecorder) {
    changeRecorders { recorders in recorders.removeAll { $0 === recorder } }
  }

  private func changeRecorders(_ change: (inout [CommitRecorder]) -> Void) {
    holdingCommitLock {
      change(&commitState.recorders)
      commitState.isInspected = !commitState.recorders.isEmpty
    }
  }

  /// Records the time at which a commit begins, under the commit lock.
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
    // A change of optimistic layers does not set `request.outcome`, so the versions are compared.
    case nil: before.version != after.version ? .changed : nil
    }
  }

  /// Records that the observers of a commit have been called; must be called without a lock.
  @usableFromInline
  func finish(_ recording: CommitRecording) {
    for (recorder, entry) in recording.entries { recorder.finish(entry) }
  }
}
