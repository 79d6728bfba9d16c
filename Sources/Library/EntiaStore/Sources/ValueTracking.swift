import Observation

/// Observes a value for Observation, from its first tracked read on.
///
/// A source has one instance, shared by all readers of its value. Observation retains the key path
/// of a tracked read until it has notified or dropped the tracked scope. `reads` refers weakly to
/// this key path. A read is therefore pending as long as `reads` is not `nil`. The observation ends
/// when there is neither a pending read nor a holder. A holder is an object that reads the value
/// through this tracking.
final class ValueTracking: ReadTracking, UnheldTracking, Observable {
  private struct Contents {
    var subscription: StoreSubscription?
    var isSubscribing = false
    /// Whether another read was tracked while the first read was subscribing. The other read may
    /// have returned a value from before the subscription.
    var hasEarlyRead = false
    var holders = 0
    /// The list to which this object is added when its last holder is removed; `nil` before the
    /// first tracked read.
    var unheld: UnheldTrackings?
    /// The key path that Observation retains while any read is pending. All reads share it.
    weak var reads: KeyPath<ValueTracking, Void>?
  }

  private let registrar = ObservationRegistrar()
  private let probe = TrackingProbe.shared
  private let contents = Mutex(Contents())

  /// The subscript to which the tracked key path leads. Its value is never read.
  private subscript(reads number: Int) -> Void { () }

  var isTracked: Bool { probe.isTracked(by: registrar) }

  var isUnheld: Bool { contents.withLock { $0.holders == 0 && $0.subscription != nil } }

  func addHolder() { contents.withLock { $0.holders += 1 } }

  func registerRead(_ source: any StateSource) -> Bool {
    guard isTracked else { return false }
    let (reads, isFirst) = contents.withLock { contents in
      let reads = contents.reads ?? Self.makeReads(1)
      contents.reads = reads
      let isFirst = contents.subscription == nil && !contents.isSubscribing
      if isFirst {
        contents.isSubscribing = true
      } else if contents.isSubscribing {
        contents.hasEarlyRead = true
      }
      contents.unheld = source.broadcaster.unheldTrackings
      return (reads, isFirst)
    }
    registrar.access(self, keyPath: reads)
    if isFirst { subscribe(to: source) }
    return true
  }

  func removeHolder() {
    let unheld = contents.withLock { contents in
      contents.holders -= 1
      return contents.holders == 0 ? contents.unheld : nil
    }
    guard let unheld else { return }
    stopIfUnused()
    if isUnheld { unheld.add(self) }
  }

  func stopIfUnused() {
    let dropped = contents.withLock { contents -> StoreSubscription? in
      guard contents.holders == 0, contents.reads == nil else { return nil }
      return contents.subscription.take()
    }
    dropped?.cancel()
  }

  private func subscribe(to source: some StateSource) {
    // The subscription retains this object, so that Observation is notified of a change even if the
    // derived value has been released.
    let subscription = source.observe(on: .passthrough, dropsFirst: true) { [self] _, _ in
      notify()
      stopIfUnused()
    }
    let hasEarlyRead = contents.withLock { contents in
      contents.subscription = subscription
      contents.isSubscribing = false
      defer { contents.hasEarlyRead = false }
      return contents.hasEarlyRead
    }
    // The early read may have returned an outdated value. The subscription does not report the
    // change from that value to the current one. Observation is therefore notified as if the value
    // had just changed.
    if hasEarlyRead { notify() }
  }

  private func notify() {
    guard let reads = contents.withLock({ $0.reads }) else { return }
    registrar.willSet(self, keyPath: reads)
    registrar.didSet(self, keyPath: reads)
  }

  /// Creates a key path. Each call must create a new object. The function is not inlined, because
  /// the compiler could turn a key path with a known argument into a constant.
  @inline(never)
  private static func makeReads(_ number: Int) -> KeyPath<ValueTracking, Void> {
    \.[reads: number]
  }
}

/// Detects whether Observation tracks the current reads of a thread.
///
/// Observation has no API for this. It stores tracked reads in a set of key paths, and therefore
/// hashes the key path of a tracked read, but not of an untracked one. The probe registers a read
/// of a key path that contains a mark. Hashing the mark sets a flag.
///
/// The probe takes the place of the object that is read. The probe is not generic, because the
/// runtime looks up the conformance of a generic object at every read. A frequently read object
/// stores a reference to the probe, because each access to a global constant is a call.
final class TrackingProbe: Observable, Sendable {
  /// The mark in the key path `path`. Hashing it sets the flag of the current thread.
  private struct Mark: Hashable, Sendable {
    static let flag = ThreadFlag()

    static func == (lhs: Mark, rhs: Mark) -> Bool { true }

    func hash(into hasher: inout Hasher) { Self.flag.set() }
  }

  static let shared = TrackingProbe()

  private let flag = Mark.flag
  /// The key path that contains the mark. Observation is never notified of a change of its value.
  private let path: any KeyPath<TrackingProbe, Void> & Sendable = \.[Mark()]

  private init() {}

  /// The subscript to which `path` leads. Its value is never read.
  private subscript(mark: Mark) -> Void { () }

  /// Returns whether Observation tracks what this thread reads from an object with a registrar.
  func isTracked(by registrar: ObservationRegistrar) -> Bool {
    flag.isSet { registrar.access(self, keyPath: path) }
  }
}
