extension StoreCore {
  @usableFromInline var middleware: [StoreMiddleware<State>] {
    hooks.middleware.withLock { $0 }
  }

  /// Runs the hooks on a change, under the commit lock.
  ///
  /// - Parameters:
  ///   - middleware: The middleware to call.
  ///   - changed: The changed state.
  ///   - start: The version before the change.
  ///   - request: The commit.
  ///   - isReduced: Whether the state's own hook has already processed `changed`.
  ///   - result: The result of the commit. Receives the new version, the refusal and the sent
  ///     activities.
  @usableFromInline
  func runHooks(
    _ middleware: [StoreMiddleware<State>], on changed: State, after start: StateVersion<State>,
    _ request: CommitRequest, isReduced: Bool = false, _ result: inout CommitResult<State>
  ) {
    var state = changed
    let isReduced = isReduced || !hasOwnHook
    if !isReduced {
      reduce(&state, after: start, request.origin)
      updateHasHooks()
    }
    if !middleware.isEmpty {
      do {
        let reduced = StateVersion(state, version: start.version, metadata: request.metadata)
        let closure = try openCommit.run(request.origin, from: reduced, equality) {
          for middleware in middleware { try middleware.check(start.value, &$0, request.metadata) }
        }
        state = closure.state
        result.activities += closure.activities
      } catch {
        result.refusal = error
        return
      }
    }
    // Hooks may have reverted the change.
    let isRevertible = !isReduced || !middleware.isEmpty
    if isRevertible, equality.areSurelyEqual(start.value, state) { return }
    result.next = StateVersion(
      state, version: commitState.current.version + 1, metadata: request.metadata)
  }

  /// Whether the state has a hook of its own instead of the default hook.
  var hasOwnHook: Bool { hooks.reduce != nil && !commitState.hasDefaultReduction }

  /// Calls the state's own hook. Activities that the hook sends are dropped.
  func reduce(_ state: inout State, after start: StateVersion<State>, _ origin: CommitOrigin) {
    guard let reduce = hooks.reduce else { return }
    let outer = openCommit.open(origin)
    commitState.hasDefaultReduction = DefaultReduction.isCalled(of: State.self) {
      reduce(&state, start.value)
    }
    let dropped = openCommit.close(outer)
    withExtendedLifetime(dropped) {}
  }

  /// Adds a middleware for the commits that begin after this call. Returns a subscription that
  /// removes the middleware.
  func add(_ middleware: StoreMiddleware<State>) -> StoreSubscription {
    let id = UniqueIdentity()
    let subscription = StoreSubscription { [weak self] in
      guard let self else { return }
      // A closure that captured the store is released here, without the commit lock.
      let former = changeMiddleware { $0.removeAll { $0.removal?.id === id } }
      withExtendedLifetime(former) {}
    }
    var added = middleware
    added.removal = StoreMiddleware.Removal(id: id, subscription: subscription)
    _ = changeMiddleware { [added] in $0.append(added) }
    return subscription
  }

  /// Changes the middleware under the commit lock, and returns the former middleware.
  private func changeMiddleware(
    _ change: (inout [StoreMiddleware<State>]) -> Void
  ) -> [StoreMiddleware<State>] {
    holdingCommitLock {
      let former = middleware
      hooks.middleware.withLock(change)
      updateHasHooks()
      return former
    }
  }

  /// Updates `commitState.hasHooks`; the caller must hold the commit lock.
  func updateHasHooks() { commitState.hasHooks = hasOwnHook || !middleware.isEmpty }
}
