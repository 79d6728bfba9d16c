extension StoreCore {
  /// The middleware to call for the commit that begins.
  @usableFromInline var middleware: [StoreMiddleware<State>] { hooks.middleware }

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
    let isReduced = isReduced || hooks.reduce == nil || commitState.hasDefaultReduction
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
    changeHooks {
      hooks.add(middleware) { number in
        StoreSubscription { [weak self] in
          guard let self else { return }
          let former = changeHooks { hooks.remove(number) }
          // A closure that captured the store is released here, without the commit lock.
          withExtendedLifetime(former) {}
        }
      }
    }
  }

  private func changeHooks<Result>(_ change: () -> Result) -> Result {
    let isInside = commitLock.isHeldByThisThread
    if !isInside { commitLock.lock() }
    let result = change()
    updateHasHooks()
    if !isInside { commitLock.unlock() }
    return result
  }

  /// Updates `commitState.hasHooks`; the caller must hold the commit lock.
  func updateHasHooks() {
    let reduces = hooks.reduce != nil && !commitState.hasDefaultReduction
    commitState.hasHooks = reduces || !hooks.middleware.isEmpty
  }
}
