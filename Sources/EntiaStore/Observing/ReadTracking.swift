import Observation

/// Tells Observation who reads a derived value, and of its changes.
protocol ReadTracking: Sendable {
  /// Whether somebody tracks what this thread reads.
  var isNoted: Bool { get }

  /// Notes that the value of a source is about to be read.
  func willRead(_ source: any StateSource)

  /// Nobody can read the value any more; who has read it may still be waiting.
  func end()
}

/// Observes a value for Observation, from the first time that somebody tracks it.
final class ValueTracking: ReadTracking, Observable {
  private struct Contents {
    var subscription: StoreSubscription?
    var isSubscribing = false
    var isEnded = false
    /// How often it has changed since it was last read or since its end.
    var changes = 0
  }

  private static let place: any KeyPath<ValueTracking, Void> & Sendable = \.[ReadProbe()]

  private let registrar = ObservationRegistrar()
  private let contents = Protected(Contents())

  /// Something for the path to lead to; read by nobody.
  private subscript(probe: ReadProbe) -> Void { () }

  var isNoted: Bool { ReadProbe.isNoted { registrar.access(self, keyPath: Self.place) } }

  func willRead(_ source: any StateSource) {
    guard isNoted else { return }
    let isFirst = contents.withLock { contents in
      contents.changes = 0
      let isFirst = contents.subscription == nil && !contents.isSubscribing
      contents.isSubscribing = contents.subscription == nil
      return isFirst
    }
    if isFirst { subscribe(to: source) }
  }

  func end() {
    contents.withLock { contents in
      contents.isEnded = true
      contents.changes = 0
    }
  }

  private func subscribe(to source: some StateSource) {
    // It holds this object, so that who has read a value that is released since is still told.
    let subscription = source.observe(on: .passthrough, dropsFirst: true) { [self] _, _ in
      changed()
    }
    contents.withLock { contents in
      contents.subscription = subscription
      contents.isSubscribing = false
    }
  }

  private func changed() {
    registrar.willSet(self, keyPath: Self.place)
    registrar.didSet(self, keyPath: Self.place)
    let dropped = contents.withLock { contents -> StoreSubscription? in
      contents.changes += 1
      // The first change may have come between the reading and the tracking of it.
      guard contents.isEnded, contents.changes > 1 else { return nil }
      return contents.subscription.take()
    }
    dropped?.cancel()
  }
}
