final class StoreTasks: Sendable {
  fileprivate struct KeyTasks {
    typealias Entry = (id: UInt64, slot: TaskSlot)

    /// The tasks that a new waiting task awaits. Every other unfinished task of the key is awaited
    /// by one of these tasks, so the new task need not await it.
    var last: [UInt64: TaskSlot] = [:]
    /// The tasks that have not been canceled by their key.
    var uncanceled: [UInt64: TaskSlot] = [:]
  }

  private struct Contents {
    var lastID: UInt64 = 0
    var slots: [UInt64: (key: StoreTaskKey, slot: TaskSlot)] = [:]
    var tasksByKey: [StoreTaskKey: KeyTasks] = [:]
  }

  private let contents = Mutex(Contents())

  /// Starts a task. The task retains this object, but not the store. The deinitialization of the
  /// store cancels the task.
  func start<Result: Sendable>(
    _ key: StoreTaskKey, _ mode: StoreTaskMode, _ priority: TaskPriority?,
    failed: @escaping @Sendable (any Error) -> Void,
    _ action: @escaping @Sendable @isolated(any) () async throws -> Result
  ) -> Task<Result, any Error> {
    let slot = TaskSlot()
    let (id, earlier) = enter(slot, key, mode)
    if mode == .dropCurrent { cancel(earlier, of: key) }
    let task = Task(priority: priority) { [self] in
      defer {
        leave(id)
        slot.finish()
      }
      if mode == .waitInCurrent { for (_, slot) in earlier { await slot.wait() } }
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
    cancel(contents.withLock { $0.tasksByKey[key]?.sortedUncanceled } ?? [], of: key)
  }

  private func cancel(_ tasks: [KeyTasks.Entry], of key: StoreTaskKey) {
    for (_, slot) in tasks { slot.cancel() }
    // The tasks are removed after they were canceled. A concurrent or nested call of this method
    // therefore also cancels them, before it returns.
    contents.withLock { contents in
      for (id, _) in tasks { contents.tasksByKey[key]?.uncanceled[id] = nil }
    }
  }

  func cancelAll() { for slot in all { slot.cancel() } }

  /// Waits until no tasks are left, including tasks that are started meanwhile.
  func waitForAll() async {
    while true {
      let slots = all
      if slots.isEmpty { return }
      for slot in slots { await slot.wait() }
    }
  }

  /// Returns the number of tasks that a new waiting task would await.
  func awaitedCount(of key: StoreTaskKey) -> Int {
    contents.withLock { $0.tasksByKey[key]?.last.count ?? 0 }
  }

  private var all: [TaskSlot] { contents.withLock { $0.slots.values.map(\.slot) } }

  /// Adds a task.
  ///
  /// - Returns: The ID of the task, and the earlier tasks that it has to cancel or to await.
  private func enter(
    _ slot: TaskSlot, _ key: StoreTaskKey, _ mode: StoreTaskMode
  ) -> (UInt64, earlier: [KeyTasks.Entry]) {
    contents.withLock { contents in
      contents.lastID += 1
      contents.slots[contents.lastID] = (key, slot)
      return (
        contents.lastID,
        contents.tasksByKey[key, default: KeyTasks()].enter(contents.lastID, slot, mode)
      )
    }
  }

  private func leave(_ id: UInt64) {
    contents.release { contents in
      let left = contents.slots.removeValue(forKey: id)
      if let key = left?.key, contents.tasksByKey[key]?.leave(id) == true {
        contents.tasksByKey[key] = nil
      }
      return left
    }
  }
}

extension StoreTasks.KeyTasks {
  /// Adds a task, and returns the earlier tasks that it has to cancel or to await.
  fileprivate mutating func enter(
    _ id: UInt64, _ slot: TaskSlot, _ mode: StoreTaskMode
  ) -> [Entry] {
    let earlier: [Entry]
    switch mode {
    case .dropCurrent: earlier = sortedUncanceled
    case .waitInCurrent:
      earlier = last.map { ($0.key, $0.value) }
      last = [:]
    }
    last[id] = slot
    uncanceled[id] = slot
    return earlier
  }

  /// The tasks to cancel, in the order in which they were started.
  fileprivate var sortedUncanceled: [Entry] {
    uncanceled.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Removes a task that has ended, and returns whether no unfinished task is left.
  fileprivate mutating func leave(_ id: UInt64) -> Bool {
    last[id] = nil
    uncanceled[id] = nil
    return last.isEmpty
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
  @usableFromInline
  static func distinct() -> StoreTaskKey {
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
