import EntiaDatabase

extension StoreCore {
  /// Replaces a database in the committed state by a version that already exists outside the store,
  /// for example in other processes.
  ///
  /// The commit is not an undo step. Undoing an earlier step keeps it. Hooks run for the other
  /// parts of the state: they can neither refuse the commit nor change the database.
  ///
  /// - Parameters:
  ///   - path: The key path of the database.
  ///   - name: The name of the commit.
  ///   - author: The observer that replaces the database. It is not notified of this change.
  ///   - replacement: Returns the new version of the database, or `nil` for no change. It is called
  ///     with the committed version, under the commit lock.
  func replace<Storage: NormalizedStorageType>(
    _ path: any WritableKeyPath<State, Storage> & Sendable, named name: String?,
    by author: CommitObserver, _ replacement: (Storage) -> Storage?
  ) {
    var request = CommitRequest(name: name, at: "the replacement of a shared database")
    underCommitLock(&request) { request in
      let before = committedUnderLock.value[keyPath: path]
      guard let after = replacement(before) else { return }
      let start = committedUnderLock
      var state = start.value
      state[keyPath: path] = after
      let isEqual =
        after.changes(since: before).isEmpty || equality.areSurelyEqual(start.value, state)
      if isEqual { return replaceMemory(by: state, after: start, &request) }

      var activities: [AnySentActivity] = []
      if commitState.hasHooks {
        var result = CommitResult<State>()
        runHooks(middleware, on: state, after: start, request, &result)
        if let refusal = result.refusal {
          commitState.problems.append(StoreProblem(replacing: name, refusal))
        } else {
          state = result.next?.value ?? start.value
          state[keyPath: path] = after
          activities = result.activities
        }
      }
      let next = StateVersion(
        state, version: commitState.current.version + 1, metadata: request.metadata)
      if commitState.hasLayers {
        publishUnderLayers(next, activities, request)
      } else {
        replaceCurrent(by: next, activities)
      }
      request.outcome = .changed
      let edit = ReplayableEdit<State>(name: name) { state in
        let merge = ThreeWayMerge<Storage>(otherwise: .theirs)
        state[keyPath: path] =
          try state[keyPath: path].merging(after, base: before, by: merge).storage
      }
      keep(edit, since: start)
      recordChange(from: start, to: next, except: author)
    }
  }

  /// Replaces the committed state by an equal one that shares memory with later versions, under the
  /// commit lock. The version keeps its number, and nothing is posted to observers.
  private func replaceMemory(
    by equal: State, after start: StateVersion<State>, _ request: inout CommitRequest
  ) {
    let next = StateVersion(equal, version: start.version, metadata: start.metadata)
    if commitState.hasLayers {
      publishUnderLayers(next, [], request)
    } else {
      // The old version is retained until the lock of the broadcaster has been released.
      let old = commitState.current
      commitState.current = next
      broadcaster.replaceCurrent(by: next)
      withExtendedLifetime(old) {}
    }
    request.outcome = .unchanged
  }
}
