public import Dispatch
import EntiaCollections

/// The target of a delivery; both public kinds of queue are converted to it.
enum DeliveryTarget: Hashable, Sendable {
  case passthrough
  case main
  case asyncMain
  case queue(DispatchQueue)
  case actor(any Actor)

  static func == (lhs: DeliveryTarget, rhs: DeliveryTarget) -> Bool {
    switch (lhs, rhs) {
    case (.passthrough, .passthrough), (.main, .main), (.asyncMain, .asyncMain): true
    case (.queue(let lhs), .queue(let rhs)): lhs === rhs
    case (.actor(let lhs), .actor(let rhs)): lhs === rhs
    default: false
    }
  }

  /// Returns the hash that a dictionary with the given seed uses. One multiplication mixes the bits
  /// well enough: they are the address of an object or one of three constants.
  func _rawHashValue(seed: Int) -> Int {
    Int(truncatingIfNeeded: HashMixing.hash(bits, seed: UInt64(truncatingIfNeeded: seed)))
  }

  func hash(into hasher: inout Hasher) { hasher.combine(bits) }

  private var bits: UInt64 {
    switch self {
    case .passthrough: 0
    case .main: 1
    case .asyncMain: 2
    case .queue(let queue): UInt64(UInt(bitPattern: ObjectIdentifier(queue)))
    case .actor(let actor): UInt64(UInt(bitPattern: ObjectIdentifier(actor)))
    }
  }

  /// Returns whether observers may be called directly, without a queue.
  func isHere(onMain: Bool) -> Bool {
    switch self {
    case .passthrough: true
    case .main: onMain
    case .asyncMain, .queue, .actor: false
    }
  }

  /// Whether committing threads leave the events to a scheduled delivery on the target, until that
  /// delivery has ended.
  ///
  /// For `main`, the value is `false`: a commit on the main actor delivers the events itself, and
  /// does not wait for the scheduled delivery. For `passthrough`, a delivery is scheduled only if
  /// observers cannot keep up with the commits of several threads.
  var waitsForSchedule: Bool {
    switch self {
    case .main: false
    case .passthrough, .asyncMain, .queue, .actor: true
    }
  }

  func schedule(_ delivery: @escaping @Sendable () -> Void) {
    switch self {
    case .passthrough: DispatchQueue.global().async(execute: delivery)
    case .main, .asyncMain: DispatchQueue.main.async(execute: delivery)
    case .queue(let queue): queue.async(execute: delivery)
    case .actor(let actor): Task { await Self.run(delivery, on: actor) }
    }
  }

  private static func run(_ delivery: @Sendable () -> Void, on actor: isolated any Actor) {
    delivery()
  }
}

/// The queue of an observer that is not isolated to the main actor.
///
/// States coalesce: an observer that falls behind is called once with the newest state, regardless
/// of the number of commits in between. In that call, `previous` is the state of the observer's
/// previous call. Commits that together lead back to an equal state are not a change. Activities do
/// not coalesce, and are delivered in order. An activity is delivered after the state that was
/// committed before it. If a newer state has replaced that state, the activity is delivered after
/// the newer one. An observer that keeps up is called exactly once for each commit that changed its
/// value.
public struct DeliveryQueue: Sendable {
  let target: DeliveryTarget

  /// Calls observers on the committing thread, before `commit` returns, as long as the observers
  /// keep up.
  ///
  /// If several threads commit concurrently, the thread that is already calling the observers also
  /// delivers the commits of the other threads, which do not wait. It delivers a bounded number of
  /// these commits. A system queue delivers the rest, after `commit` has returned. A commit made by
  /// an observer is delivered on the same thread when the current delivery has ended.
  public static let passthrough = DeliveryQueue(target: .passthrough)

  /// Calls observers asynchronously on a custom queue.
  ///
  /// Only one observer is called at a time, even if the queue is concurrent.
  public static func asyncSerialQueue(_ queue: DispatchQueue) -> DeliveryQueue {
    DeliveryQueue(target: .queue(queue))
  }
}

/// The queue of an observer that is isolated to the main actor.
///
/// States coalesce and activities do not, as described in ``DeliveryQueue``. Asynchronous
/// deliveries use the main queue, a bounded number of events at a time. In a program whose main
/// queue never runs, only commits on the main actor are delivered.
public struct MainActorQueue: Sendable {
  let target: DeliveryTarget

  /// Calls observers immediately if the change is made on the main actor, otherwise as soon as the
  /// main actor is free.
  ///
  /// An immediate delivery includes the changes that are already waiting for the main actor.
  public static let main = MainActorQueue(target: .main)

  /// Calls observers asynchronously, even if the change is made on the main actor.
  public static let asyncMain = MainActorQueue(target: .asyncMain)
}

/// Detects whether the current code runs on the main queue, and therefore on the main actor.
///
/// The identity of the current thread is not sufficient. On Linux, an asynchronous `main` gives up
/// its thread, and the main queue then runs on any thread.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) ?? false
  }
}
