public import EntiaDatabase
import EntiaExplorer
public import EntiaStore
public import Foundation

/// An inspection of a running store, for debugging. It shows the last commits, the observers and
/// the queries of the store.
///
/// ```swift
/// let inspection = store.inspect()
/// store.commit("Add book") { state in … }
/// print(inspection)                              // commits, observers and queries, as text
/// try inspection.writePage(to: url)              // the same with all rows, for a browser
/// ```
///
/// An inspection records the commits that begin after its creation. It ends when it is released or
/// stopped. After its end, commits have no additional cost. An inspection retains the state of the
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

  /// Ends the recording of commits, and releases the recorded commits. Observers, queries and rows
  /// can still be read. Calling this method again does nothing.
  public func stop() {
    remove()
    recorder.removeAll()
  }

  /// The number of commits since the inspection began. Only the last ones are kept.
  package var commitCount: Int { recorder.count }

  /// The last commits, in commit order.
  ///
  /// - Complexity: O(*n*), where *n* is the number of kept commits. Reading the changes of a commit
  ///   computes them.
  public var commits: [Commit] { recorder.entries.map(Commit.init) }

  /// The observers of the store, in the order in which they were added.
  ///
  /// Tracked reads of derived values and of queries are observers too.
  ///
  /// - Complexity: O(*n*), where *n* is the number of observers.
  public var observers: [Observer] { readObservers().map(Observer.init) }

  /// The live queries of the store with their plans. Observed queries come first, in the order in
  /// which their first observers were added. The other queries follow.
  ///
  /// Equal queries are listed once, except queries that contain a closure or join related entities.
  ///
  /// - Complexity: O(*n*), where *n* is the number of observers and queries, plus the time to plan
  ///   the queries.
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

  /// The saved and shared parts of the state, in the order in which saving or sharing began.
  public var parts: [Part] { readParts() }

  /// Calls a closure with one line of text after each commit. The closure replaces an earlier one.
  ///
  /// ```swift
  /// inspection.log { print($0) }
  /// // 1 Add book: changed in 85 µs, observers 12 µs: library (1 row)
  /// ```
  ///
  /// The committing thread calls the closure without a lock, after the observers. Each line begins
  /// with the number of its commit. If several threads commit, the lines may not be in commit
  /// order. The changes of a commit are computed for its line, in O(changes).
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
  /// Begins an inspection of the observers and queries of the store, and of its commits from now
  /// on.
  ///
  /// Commits are recorded only during an inspection. Each recorded commit retains the states before
  /// and after it, which share their unchanged parts.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of kept commits; older commits are released.
  ///   - clock: The clock that measures durations. Each commit reads it twice while the commit lock
  ///     is held, and once after the observers. The clock must not use the store.
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

extension StoreInspection {
  /// A commit of an inspected store.
  ///
  /// Undoing, redoing and changes of optimistic layers are commits too. If the `deinit` of a value
  /// makes a commit inside another commit, the inner commit is part of the outer commit.
  public struct Commit: Sendable, CustomStringConvertible {
    /// The outcome of a commit.
    public enum Outcome: Sendable {
      /// The commit changed the state.
      case changed
      /// The commit led to an equal state.
      case unchanged
      /// A middleware or a rule of a database refused the commit; the state is unchanged.
      case refused(any Error)
      /// The closure of the commit threw an error; the state is unchanged.
      case failed(any Error)
    }

    private let entry: CommitRecorder.Entry

    init(_ entry: CommitRecorder.Entry) { self.entry = entry }

    /// The number of the commit. Commits are numbered in order, and the first commit of the
    /// inspection has the number 1.
    public var number: Int { entry.number }

    /// The name of the commit.
    public var name: String? { entry.commit.name }

    /// The outcome.
    public var outcome: Outcome {
      switch entry.outcome {
      case .changed: .changed
      case .unchanged: .unchanged
      case .refused(let error): .refused(error)
      case .failed(let error): .failed(error)
      }
    }

    /// The time for which the commit held the commit lock, including its closure, the middleware
    /// and the publication.
    public var duration: Duration { entry.duration }

    /// The time that the committing thread spent calling observers after the commit; `nil` until
    /// the observers have been called.
    package var observerDuration: Duration? { entry.delivery }

    /// The parts of the state that the commit changed, in the order of their declaration. If a
    /// member contains databases, each database in the member is a separate part, and so is each of
    /// its other values.
    ///
    /// - Complexity: O(changes) for the databases, plus one comparison for each part that is not a
    ///   database, plus O(*n*) in the number of stored values outside collections.
    public var parts: [StoreCommit.Part] { entry.commit.parts }

    /// The changed parts, with one line for each changed row in the details.
    var partsWithRows: [StoreCommit.Part] { entry.commit.partsWithRows }

    /// The number, the name, the outcome, the durations and the changed parts, on one line.
    public var description: String {
      let times = [
        "in \(duration.inspectionText)", observerDuration.map { "observers \($0.inspectionText)" },
      ]
      let result =
        switch outcome {
        case .changed: "changed"
        case .unchanged: "unchanged"
        case .refused: "refused"
        case .failed: "failed"
        }
      let detail =
        switch outcome {
        case .changed: parts.map(\.description).joined(separator: ", ")
        case .unchanged: ""
        case .refused(let error), .failed(let error): "\(error)".onOneLine
        }
      return "\(number) \(name?.onOneLine ?? "commit"): \(result) "
        + times.compactMap { $0 }.joined(separator: ", ") + (detail.isEmpty ? "" : ": \(detail)")
    }
  }
}

extension StoreInspection {
  /// Returns a page that shows the store in a browser: one HTML file that loads nothing else.
  ///
  /// The page contains the rows of all databases in the state with links in both directions, the
  /// effects of deleting a row, and the schema as a diagram. It also contains orphans, the largest
  /// fan-outs, and the commits, observers and queries of this inspection. Databases are found in
  /// the stored properties of the state and of values nested in it, but not in nested objects.
  /// Values need not be `Codable`, because their properties are read by reflection.
  ///
  /// - Returns: The page, in UTF-8.
  /// - Complexity: O(size of the state), plus sorting.
  package func page() -> [UInt8] {
    var bytes: [UInt8] = []
    content.page.write { bytes += $0 }
    return bytes
  }

  /// Writes the page to a file, or replaces the file.
  ///
  /// - Parameter url: The file.
  /// - Throws: The error of writing the file. An existing file is then unchanged.
  /// - Complexity: O(size of the state), plus sorting.
  public func writePage(to url: URL) throws {
    try Data(page()).write(to: url, options: .atomic)
  }
}

extension StoreInspection {
  /// An observer of an inspected store.
  public struct Observer: Sendable, CustomStringConvertible {
    /// The number of the observer, in the order in which the store's observers were added, from 1.
    package let number: Int
    /// A description of the observed value. The value is a part of the state, such as `searchText`,
    /// a row, such as `Book("b1") in library`, or a query.
    public let subject: String
    /// The target on which the observer is called: `main`, `asyncMain`, `passthrough`, a queue or
    /// an actor.
    public let target: String

    init(_ observer: InspectedObserver) {
      number = Int(observer.number)
      subject = observer.subject
      target = observer.target
    }

    /// The number, the observed value and the target, on one line.
    public var description: String { "\(number) \(subject), on \(target)" }
  }

  /// A live query of an inspected store.
  public struct Query: Sendable, CustomStringConvertible {
    /// The query in words, such as `query of Book in library`.
    public let subject: String
    /// The plan for fetching the query in the current state.
    public let explanation: FetchExplanation
    /// The number of observers that observe the query or a value derived from the query.
    package let observerCount: Int
    /// The number of times that the whole result was fetched instead of updated from changes.
    package let fetchCount: Int
    /// The number of changed rows for which the predicate was evaluated.
    package let examinedRows: Int

    init(_ query: InspectedQuery, observerCount: Int) {
      subject = query.subject
      explanation = query.explanation
      self.observerCount = observerCount
      fetchCount = query.work.fetches
      examinedRows = query.work.rowsExamined
    }

    /// The query and its work on one line, and its plan on the following lines.
    public var description: String {
      func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
      }
      return "\(subject): \(count(observerCount, "observer")), "
        + "fetched \(count(fetchCount, "time")), \(count(examinedRows, "changed row")) examined\n  "
        + explanation.description.replacing("\n", with: "\n  ")
    }
  }

  /// A part of the state of an inspected store that is saved or shared.
  public struct Part: Sendable, CustomStringConvertible {
    /// The key path of the part in words, such as `library`.
    public let name: String
    /// Whether the part is shared with other processes. Otherwise it is saved to a file.
    package let isShared: Bool

    /// The part and its use, on one line.
    public var description: String { "\(name), \(isShared ? "shared" : "saved")" }
  }
}
