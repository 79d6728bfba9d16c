/// The unfinished tasks of a store.
final class StoreTasks: Sendable {
  private struct Contents {
    var lastID: UInt64 = 0
    var slots: [UInt64: (key: StoreTaskKey, slot: TaskSlot)] = [:]
    var idsByKey: [StoreTaskKey: [UInt64]] = [:]
  }

  private let contents = Mutex(Contents())

  /// Starts a task. The task retains this object, but not the store; the deinitialization of the
  /// store cancels the task.
  func start<Result: Sendable>(
    _ key: StoreTaskKey, _ mode: StoreTaskMode, _ priority: TaskPriority?,
    failed: @escaping @Sendable (any Error) -> Void,
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    let slot = TaskSlot()
    let (id, earlier) = enter(slot, key)
    if mode == .dropCurrent { for slot in earlier { slot.cancel() } }
    let task = Task(priority: priority) { [self] in
      defer {
        leave(id)
        slot.finish()
      }
      if mode == .waitInCurrent { for slot in earlier { await slot.wait() } }
      do {
        try Task.checkCancellation()
        return try await action()
      } catch {
        if !(error is CancellationError) { failed(error) }
        throw error
      }
    }
    slot.attach { task.cancel() }
    return task
  }

  func cancel(_ key: StoreTaskKey) {
    for slot in slots(of: key) { slot.cancel() }
  }

  func cancelAll() {
    for slot in all { slot.cancel() }
  }

  /// Waits until no tasks are left, including tasks that are started meanwhile.
  func waitForAll() async {
    while let slot = all.first { await slot.wait() }
  }

  private var all: [TaskSlot] {
    contents.withLock { $0.slots.values.map(\.slot) }
  }

  private func slots(of key: StoreTaskKey) -> [TaskSlot] {
    contents.withLock { contents in
      (contents.idsByKey[key] ?? []).compactMap { contents.slots[$0]?.slot }
    }
  }

  private func enter(_ slot: TaskSlot, _ key: StoreTaskKey) -> (UInt64, earlier: [TaskSlot]) {
    contents.withLock { contents in
      let earlier = (contents.idsByKey[key] ?? []).compactMap { contents.slots[$0]?.slot }
      contents.lastID += 1
      contents.slots[contents.lastID] = (key, slot)
      contents.idsByKey[key, default: []].append(contents.lastID)
      return (contents.lastID, earlier)
    }
  }

  private func leave(_ id: UInt64) {
    let left = contents.withLock { contents in
      let left = contents.slots.removeValue(forKey: id)
      if let key = left?.key {
        contents.idsByKey[key]?.removeAll { $0 == id }
        if contents.idsByKey[key]?.isEmpty == true { contents.idsByKey[key] = nil }
      }
      return left
    }
    withExtendedLifetime(left) {}
  }
}

/// The key of a store's task. A new task cancels or awaits the unfinished tasks with an equal key.
public struct StoreTaskKey: Hashable, Sendable, CustomStringConvertible {
  private enum Name: Hashable, Sendable {
    case text(String)
    case number(UInt64)
  }

  private static let lastNumber = Mutex<UInt64>(0)

  private let name: Name

  /// Creates a key that equals all keys with the same name.
  public init(_ name: String) { self.name = .text(name) }

  private init(number: UInt64) { name = .number(number) }

  /// Creates a key that equals no other key.
  ///
  /// - Returns: A key for a task that is independent of all others.
  public static func distinct() -> StoreTaskKey {
    StoreTaskKey(
      number: lastNumber.withLock {
        $0 += 1
        return $0
      })
  }

  /// The name, or a number for a distinct key.
  public var description: String {
    switch name {
    case .text(let text): text
    case .number(let number): "task \(number)"
    }
  }
}

/// The treatment of unfinished tasks with the same key when a task starts.
public enum StoreTaskMode: Sendable {
  /// The unfinished tasks are canceled, and the new task starts at once.
  case dropCurrent
  /// The new task starts when all earlier tasks with the key have ended.
  case waitInCurrent
}

/// The entry of one task in its store. It is created before the task, so that the task can be
/// canceled and awaited from the start.
final class TaskSlot: Sendable {
  private struct Contents {
    var isCanceled = false
    var isDone = false
    var cancel: (@Sendable () -> Void)?
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())

  /// Sets the closure that cancels the task, and calls it if cancellation has already been
  /// requested.
  func attach(cancel: @escaping @Sendable () -> Void) {
    let isCanceled = contents.withLock { contents in
      if !contents.isDone { contents.cancel = cancel }
      return contents.isCanceled
    }
    if isCanceled { cancel() }
  }

  func cancel() {
    let cancel = contents.withLock { contents in
      contents.isCanceled = true
      return contents.cancel
    }
    cancel?()
  }

  func finish() {
    let done = contents.withLock { contents in
      let done = contents
      contents.isDone = true
      contents.cancel = nil
      contents.waiters = []
      return done
    }
    for waiter in done.waiters { waiter.resume() }
  }

  /// Waits until the task has ended.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isDone = contents.withLock { contents in
        if !contents.isDone { contents.waiters.append(continuation) }
        return contents.isDone
      }
      if isDone { continuation.resume() }
    }
  }
}
