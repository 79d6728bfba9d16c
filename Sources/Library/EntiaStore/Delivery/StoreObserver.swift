package import EntiaDatabase

/// One observer of a store. It is called for one event at a time.
final class StoreObserver: Sendable {
  typealias Receive = @Sendable (StoreEvent) -> RowReads?

  private struct Contents {
    /// `nil` once the subscription has ended.
    var receive: Receive?
    /// The source of the observed value, or `nil` if it is the state or if the subscription has
    /// ended.
    var subject: (any ObserverSubject)?
    /// Whether the first delivery is in progress. Meanwhile, other threads put their events in
    /// `waiting`.
    var isStarting: Bool
    /// The changes during the first delivery, coalesced into one.
    var waiting: StoreEvent?
    /// The thread that posted the waiting event, or `nil` if several threads did.
    var poster: ThreadIdentity?
    /// The milestones after the event that is being delivered or is waiting.
    var milestones: [Milestone] = []
    /// The rows that the observer read during the first delivery. They are registered when that
    /// delivery ends.
    var unfiled: RowReads?
  }

  let id: UInt64
  /// The sequence number of the last event before the observer was added. The observer receives
  /// only later events.
  private let since: UInt64
  private let contents: Mutex<Contents>

  init(
    id: UInt64, since: UInt64, of subject: (any ObserverSubject)?, isStarting: Bool,
    receive: @escaping Receive
  ) {
    self.id = id
    self.since = since
    contents = Mutex(Contents(receive: receive, subject: subject, isStarting: isStarting))
  }

  /// The source of the observed value, or `nil` if it is the state or if the subscription has
  /// ended.
  var subject: (any ObserverSubject)? { contents.withLock { $0.subject } }

  /// Calls the observer, or queues the event during the first delivery.
  ///
  /// - Returns: The rows that the observer read, if they have to be registered.
  func deliver(_ posted: PostedEvent) -> RowReads? {
    guard posted.sequence > since, posted.addressee == nil || posted.addressee == id else {
      return nil
    }
    if case .milestone(let milestone) = posted.event {
      hold(milestone)
      return nil
    }
    let (receive, replaced) = contents.withLock { contents -> (Receive?, StoreEvent?) in
      guard contents.isStarting, contents.receive != nil else { return (contents.receive, nil) }
      let replaced = contents.waiting
      let isFirst = replaced == nil || contents.poster == posted.poster
      contents.poster = isFirst ? posted.poster : nil
      contents.waiting = replaced?.coalesced(with: posted.event) ?? posted.event
      return (nil, replaced)
    }
    withExtendedLifetime(replaced) {}
    return receive?(posted.event)
  }

  /// Retains a milestone until the queued events have been delivered, if the first delivery is in
  /// progress.
  private func hold(_ milestone: Milestone) {
    contents.withLock { contents in
      if contents.isStarting, contents.receive != nil { contents.milestones.append(milestone) }
    }
  }

  /// Delivers the first event directly, and the events that other threads queue meanwhile.
  ///
  /// - Parameters:
  ///   - first: The first event, or `nil` to continue with queued events.
  ///   - thread: This thread.
  ///   - share: The maximum number of events of other threads to deliver. Events that the observer
  ///     itself posts on this thread do not count.
  /// - Returns: `isFinished` is whether no events are left. If so, `reads` are the rows that the
  ///   observer returned most recently, for the caller to register. They are registered only when
  ///   no events are left, because each delivered event may change which rows the observer reads.
  func start(
    with first: StoreEvent?, by thread: ThreadIdentity, share: Int
  ) -> (reads: RowReads?, isFinished: Bool) {
    var reads = contents.withLock { $0.unfiled.take() }
    var share = share
    if let first { reads = receive(first) ?? reads }
    while true {
      switch nextStep(by: thread, share: &share, reads) {
      case .deliver(let event, let milestones):
        withExtendedLifetime(milestones) { reads = receive(event) ?? reads }
      case .stop(let milestones): return withExtendedLifetime(milestones) { (reads, true) }
      case .handOver: return (nil, false)
      }
    }
  }

  private func receive(_ event: StoreEvent) -> RowReads? {
    contents.withLock { $0.receive }?(event)
  }

  private enum Step {
    /// The milestones are to be released after the delivery.
    case deliver(StoreEvent, [Milestone])
    /// No events are left. The milestones are to be released without the lock.
    case stop([Milestone])
    case handOver
  }

  /// Returns the next step. The step delivers the queued event, or ends the first delivery if no
  /// event is queued. If the share is used up, the step hands the first delivery over to a later
  /// call of `start`.
  ///
  /// A handover stores `reads` for the later call. For an event, an observer returns its rows only
  /// if they may differ from the rows that it read before. For later events, the observer may
  /// therefore return no rows, although `reads` are not registered yet.
  private func nextStep(
    by thread: ThreadIdentity, share: inout Int, _ reads: RowReads?
  ) -> Step {
    contents.withLock { contents in
      guard contents.waiting != nil else {
        contents.isStarting = false
        defer { contents.milestones = [] }
        return .stop(contents.milestones)
      }
      if contents.poster != thread {
        if share == 0 {
          contents.unfiled = reads
          return .handOver
        }
        share -= 1
      }
      defer { contents.milestones = [] }
      return contents.waiting.take().map { .deliver($0, contents.milestones) } ?? .stop([])
    }
  }

  /// Ends the subscription: no call begins after this, and the closure is released.
  func end() {
    contents.replace { contents in
      contents.receive = nil
      contents.subject = nil
      contents.waiting = nil
      contents.milestones = []
      contents.unfiled = nil
    }
  }
}

/// A source of an observed value, described for an inspection.
protocol ObserverSubject: AnyObject, Sendable {
  /// The value in words, such as `query of Book in library`.
  var subject: String { get }

  /// The query that produces the value, or `nil` if no query does.
  var inspectedQuery: InspectedQuery? { get }

  /// The sources from which the value is computed.
  var parts: [any ObserverSubject] { get }

  /// The request whose answer the source itself reads, or `nil`.
  var request: AnsweredRequest? { get }

  /// Returns the rows that the source itself reads, as roots of an eviction.
  func readRows(
    in version: AnyStateVersion, of database: DatabaseChangeDetector
  ) -> [CollectionRoot]
}

extension ObserverSubject {
  var inspectedQuery: InspectedQuery? { nil }
  var parts: [any ObserverSubject] { [] }
  var request: AnsweredRequest? { nil }

  func readRows(
    in version: AnyStateVersion, of database: DatabaseChangeDetector
  ) -> [CollectionRoot] { [] }
}

/// A request whose answer is observed, and the database with the answer.
struct AnsweredRequest: Sendable {
  let request: any Hashable & Sendable
  let database: DatabaseChangeDetector
}

/// A live query of a store, described for an inspection.
package struct InspectedQuery: Sendable {
  /// The identity of the query. It is unique only while the query exists.
  package let id: ObjectIdentifier
  /// The query in words, such as `query of Book in library`.
  package let subject: String
  /// The plan for fetching the query in the current state.
  package let explanation: FetchExplanation
  /// The work done so far to update the query.
  package let work: LiveWork
}
