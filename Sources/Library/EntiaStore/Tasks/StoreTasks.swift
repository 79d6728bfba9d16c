/// The unfinished tasks of a store.
final class StoreTasks: Sendable {
  private struct Contents {
    var lastID: UInt64 = 0
    var slots: [UInt64: (key: StoreTaskKey, slot: TaskSlot)] = [:]
    var idsByKey: [StoreTaskKey: [UInt64]] = [:]
  }

  private let contents = Mutex(Contents())

  /// Starts a task. The task retains this object and not the store, whose end cancels it.
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
