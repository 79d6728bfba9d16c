/// The open commits of the thread that holds the commit lock: the outer commit and its nested
/// commits.
///
/// A nested commit joins the outer one. The outer closure's unfinished state is held `inout`, so no
/// other code can read or write it. The nested closure therefore runs immediately, on the state
/// that the outer closure was called with and the earlier nested edits. If both have made edits,
/// the outer closure is called again on top of the nested edits. Its nested commits then run again
/// too, on the same states as before, and must make the same edits; otherwise the outer commit is
/// refused.
///
/// The alternatives are worse. A nested closure cannot be queued until the outer one returns: it
/// does not escape, and its caller needs its result. Refusing every nested commit would lose edits
/// if a function that commits is called inside a commit, or if a `deinit` commits.
///
/// Not generic, like all code that every commit runs; only the closure's call is compiled for the
/// state's type.
///
/// Sendable despite a `var`: the commit lock protects it.
@usableFromInline
final class NestedCommits: @unchecked Sendable {
  /// One call of a closure: the states before and after it.
  ///
  /// A class, so that a commit without nested commits does not carry a second state.
  @usableFromInline
  final class Call<State> {
    @usableFromInline let start: AnyStateVersion
    @usableFromInline let end: State

    @inlinable
    init(start: AnyStateVersion, end: State) {
      self.start = start
      self.end = end
    }
  }

  /// The result of a commit's closure.
  @usableFromInline
  struct ClosureResult<State, Result> {
    @usableFromInline let state: State
    @usableFromInline let result: Result
    @usableFromInline let isChanged: Bool
    /// Whether the state is equal to the one before, with other transient members.
    @usableFromInline let isRewritten: Bool
    /// Retained until the result has been used: the `deinit` of a value may also commit.
    @usableFromInline let level: CommitLevel
    /// The last call of the closure, if nested commits have made edits.
    @usableFromInline let last: Call<State>?

    @inlinable
    init(
      state: State, result: Result, isChanged: Bool, isRewritten: Bool, level: CommitLevel,
      last: Call<State>?
    ) {
      self.state = state
      self.result = result
      self.isChanged = isChanged
      self.isRewritten = isRewritten
      self.level = level
      self.last = last
    }

    @inlinable var activities: [AnySentActivity] { level.activities }
    @inlinable var refusal: NestedCommitError? { level.refusal }
  }

  /// The open commits, the outer one first.
  @exclusivity(unchecked) private var levels: [CommitLevel] = []

  init() {}

  /// Whether a commit's closure is running.
  var isOpen: Bool { !levels.isEmpty }

  /// The reason why the innermost open commit is refused.
  var refusal: NestedCommitError? { levels.last?.refusal }

  /// Postpones an activity until the commit in which it was sent is published.
  func postpone(_ activity: AnySentActivity) {
    levels[levels.count - 1].activities.append(activity)
  }

  /// Runs the closure of a commit, twice if both it and its nested commits make edits.
  @inlinable
  func run<State: Sendable, Result>(
    from start: StateVersion<State>, _ equality: Equality<State>,
    _ body: (inout State) throws -> Result
  ) rethrows -> ClosureResult<State, Result> {
    open(from: start)
    var state = start.value
    var last: Call<State>?
    do {
      var result = try body(&state)
      if let joined = unseenEdits()?.of(State.self) {
        let first = state
        last = Call(start: start, end: first)
        state = joined.value
        // Writes of transient members alone are edits too.
        if !equality.areSurelyEqual(start.value, first)
          || equality.findsOtherTransientMembers(start.value, first)
        {
          rewind()
          result = try body(&state)
          endReplay()
          last = Call(start: joined, end: state)
        }
        withExtendedLifetime(first) {}
      }
      let isChanged = !equality.areSurelyEqual(start.value, state)
      let isRewritten = !isChanged && equality.findsOtherTransientMembers(start.value, state)
      return ClosureResult(
        state: state, result: result, isChanged: isChanged, isRewritten: isRewritten,
        level: finish(), last: last)
    } catch {
      let dropped = close()
      withExtendedLifetime(dropped) {}
      throw error
    }
  }

  @usableFromInline
  func open(from start: AnyStateVersion) { levels.append(CommitLevel(start: start)) }

  @usableFromInline
  func close() -> CommitLevel { levels.removeLast() }

  /// Closes the innermost commit, and refuses it if there are edits that it does not contain.
  @usableFromInline
  func finish() -> CommitLevel {
    var level = close()
    if level.hasUnseenEdits { level.refuse(.insideReduce) }
    return level
  }

  /// Returns the state with the nested edits that the innermost closure has not seen, and marks
  /// them as seen; `nil` if there are none.
  @usableFromInline
  func unseenEdits() -> AnyStateVersion? {
    let index = levels.count - 1
    return levels[index].hasUnseenEdits ? levels[index].showEdits() : nil
  }

  /// Prepares for another call of the innermost closure.
  @usableFromInline
  func rewind() {
    let replaced = levels[levels.count - 1].rewind()
    withExtendedLifetime(replaced) {}
  }

  @usableFromInline
  func endReplay() { levels[levels.count - 1].endReplay() }

  /// Runs the closure of a commit nested in the innermost open one.
  func join<State: Sendable, Result>(
    _ equality: Equality<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let index = levels.count - 1
    if levels[index].isReplay { return try joinAgain(equality, body) }
    let start = levels[index].joined.of(State.self)
    let closure: ClosureResult<State, Result>
    do {
      closure = try run(from: start, equality, body)
    } catch {
      _ = levels[index].join(
        JoinedCommit(start: start, end: nil, isChanged: false, inner: []), leadingTo: nil)
      throw error
    }
    let commit = JoinedCommit(
      start: closure.last?.start ?? start,
      end: StateVersion(closure.last?.end ?? closure.state, version: start.version),
      isChanged: closure.isChanged, inner: closure.level.inner)
    let replaced = levels[index].join(
      commit,
      leadingTo: closure.isChanged || closure.isRewritten
        ? StateVersion(closure.state, version: start.version) : nil)
    levels[index].activities += closure.activities
    levels[index].refusal = levels[index].refusal ?? closure.refusal
    withExtendedLifetime(replaced) {}
    return closure.result
  }

  /// Runs the closure of a nested commit when the outer closure is called again: it must make the
  /// same edit as before.
  private func joinAgain<State: Sendable, Result>(
    _ equality: Equality<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let index = levels.count - 1
    guard let commit = levels[index].nextReplayed() else {
      return try joinWithoutEdit(from: levels[index].joined, equality, body)
    }
    // A closure that threw is called with the same state as before.
    guard let end = commit.end else {
      return try joinWithoutEdit(from: commit.start, equality, body)
    }
    levels.append(CommitLevel(start: commit.start, replaying: commit.inner))
    var state = commit.start.of(State.self).value
    let result: Result
    do {
      result = try body(&state)
    } catch {
      let dropped = close()
      levels[index].refuse(.otherEdit)
      withExtendedLifetime(dropped) {}
      throw error
    }
    levels[index + 1].endReplay()
    let isSame = equality.areSurelyEqual(end.of(State.self).value, state)
    let level = finish()
    levels[index].activities += level.activities
    levels[index].refusal = levels[index].refusal ?? level.refusal
    if !isSame { levels[index].refuse(equality.isKnown ? .otherEdit : .incomparable) }
    return result
  }

  /// Runs the closure of a nested commit that is new or that threw before: it must make no edit.
  private func joinWithoutEdit<State: Sendable, Result>(
    from start: AnyStateVersion, _ equality: Equality<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let index = levels.count - 1
    let closure = try run(from: start.of(State.self), equality, body)
    levels[index].activities += closure.activities
    if closure.isChanged { levels[index].refuse(.additional) }
    return closure.result
  }
}
