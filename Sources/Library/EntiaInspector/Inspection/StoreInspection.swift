public import EntiaStore

/// An inspection of a running store, for debugging: its last commits, its observers and its
/// queries.
///
/// ```swift
/// let inspection = store.inspect()
/// store.commit("Add book") { state in … }
/// print(inspection)                              // commits, observers and queries, as text
/// try inspection.writePage(to: url)              // the same with all rows, for a browser
/// ```
///
/// It records the commits that begin after its creation. It ends when it is released or stopped;
/// from then on, commits cost what they cost without an inspection. It retains the state of the
/// store, but not the store.
public final class StoreInspection: Sendable {
  private let recorder: CommitRecorder
  private let stateName: String
  private let readState: @Sendable () -> any Sendable
  private let readObservers: @Sendable () -> [InspectedObserver]
  private let readQueries: @Sendable () -> [InspectedQuery]
  private let readParts: @Sendable () -> [Part]
  private let remove: @Sendable () -> Void

  init<State: Sendable, Activity: Sendable>(
    _ store: InspectedStore<State, Activity>, _ recorder: CommitRecorder
  ) {
    self.recorder = recorder
    stateName = store.stateName
    readState = { store.state }
    readObservers = { store.observers }
    readQueries = { store.sharedQueries }
    readParts = { store.parts.map { Part(name: $0.name, isShared: $0.isShared) } }
    remove = { store.remove(recorder) }
    store.add(recorder)
  }

  deinit { stop() }

  /// Ends the recording of commits, and releases the recorded ones; does nothing if it has already
  /// ended. Observers, queries and rows can still be read.
  public func stop() {
    remove()
    recorder.removeAll()
  }

  /// The number of commits since the inspection began, of which the last ones are kept.
  public var commitCount: Int { recorder.count }

  /// The last commits, in commit order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of kept commits. Their changes are computed when
  ///   they are read.
  public var commits: [Commit] { recorder.entries.map(Commit.init) }

  /// The observers of the store, in the order in which they were added.
  ///
  /// Tracked reads of derived values and of queries are observers too.
  ///
  /// - Complexity: O(*n*), where *n* is the number of observers.
  public var observers: [Observer] { readObservers().map(Observer.init) }

  /// The live queries of the store with their plans, in the order in which they are first observed;
  /// queries that only exist follow.
  ///
  /// A query with a closure, or one that joins related entities, is listed only while it is
  /// observed.
  ///
  /// - Complexity: O(*n*), where *n* is the number of observers and queries, plus the plans of the
  ///   queries.
  public var queries: [Query] {
    var queries: [InspectedQuery] = []
    var counts: [ObjectIdentifier: Int] = [:]
    for query in readObservers().compactMap(\.query) {
      if counts[query.id] == nil { queries.append(query) }
      counts[query.id, default: 0] += 1
    }
    for query in readQueries() where counts[query.id] == nil {
      queries.append(query)
      counts[query.id] = 0
    }
    return queries.map { Query($0, observerCount: counts[$0.id] ?? 0) }
  }

  /// The parts of the state that are saved or shared, in the order in which this began.
  public var parts: [Part] { readParts() }

  /// Calls a closure with one line of text after each commit, in place of an earlier closure.
  ///
  /// ```swift
  /// inspection.log { print($0) }
  /// // 1 Add book: changed in 85 µs, observers 12 µs: library (1 row)
  /// ```
  ///
  /// It is called by the committing thread, without a lock, after the observers. With several
  /// threads, lines may be in another order than the commits, whose numbers they begin with. The
  /// changes of a commit are computed for its line, in O(changes).
  ///
  /// - Parameter write: A closure that receives the line. It must not retain the inspection.
  /// - Returns: The inspection itself.
  @discardableResult
  public func log(to write: @escaping @Sendable (String) -> Void) -> StoreInspection {
    recorder.onCommit { write(Commit($0).description) }
    return self
  }

  var content: InspectionContent {
    InspectionContent(
      name: stateName, state: StateRecords(readState()), commitCount: commitCount,
      commits: commits, observers: observers, queries: queries, parts: parts)
  }
}

extension StoreInspection: CustomStringConvertible {
  /// The commits, observers, queries and parts, one on each line.
  public var description: String {
    let commits = commits
    let kept = commitCount == commits.count ? "" : ", the last \(commits.count) kept"
    var lines = ["\(stateName): \(commitCount == 1 ? "1 commit" : "\(commitCount) commits")\(kept)"]
    func add(_ title: String, _ items: [some CustomStringConvertible]) {
      if items.isEmpty { return }
      lines.append("\(title):")
      lines += items.flatMap { item in
        item.description.split(separator: "\n").map { "  \($0)" }
      }
    }
    add("commits", commits)
    add("observers", observers)
    add("queries", queries)
    add("parts", parts)
    return lines.joined(separator: "\n")
  }
}

extension StoreComponentType {
  /// Begins an inspection of the store: of its commits from now on, its observers and its queries.
  ///
  /// Until then nothing is recorded. Each recorded commit retains the states before and after it,
  /// which share their unchanged parts.
  ///
  /// - Parameters:
  ///   - limit: The number of commits that are kept; older ones are released.
  ///   - clock: The clock that measures durations. It is read twice while the commit lock is held,
  ///     and must not use the store.
  /// - Returns: The inspection, which ends when it is released.
  /// - Complexity: O(1). It waits for a commit in progress.
  public func inspect(
    keeping limit: Int = 100, clock: some Clock<Duration> = ContinuousClock()
  ) -> StoreInspection {
    let start = clock.now
    return StoreInspection(
      inspected, CommitRecorder(limit: limit) { start.duration(to: clock.now) })
  }
}
