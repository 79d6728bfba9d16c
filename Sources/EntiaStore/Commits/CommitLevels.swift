/// The commits that are open on the thread that has the turn: the outer one, and those inside it.
///
/// A commit inside a commit joins it. The outer closure's unfinished state is held `inout`, so nothing
/// else can read or write it; the inner closure therefore runs at once, on what the outer one was given
/// and the inner edits before it. When both have made edits, the outer closure is called again on top
/// of the inner edits. The inner commits it makes then run again too, on the states that they were
/// given before, and must make the same edits: otherwise the outer commit is refused.
///
/// The alternatives are worse. An inner closure cannot be queued until the outer one is done: it does
/// not escape, and its caller needs its result. Refusing every inner commit would lose edits where a
/// function that commits is called inside a commit, or where a `deinit` commits.
///
/// Sendable although its properties are `var`s: only the thread that has the turn touches them.
@usableFromInline
final class CommitLevels: @unchecked Sendable {
  /// One call of a closure: what it was given and what it made of it.
  ///
  /// An object, so that a commit without inner ones carries no second state along.
  @usableFromInline
  final class Call<State> {
    @usableFromInline let start: AnySnapshot
    @usableFromInline let end: State

    @inlinable
    init(start: AnySnapshot, end: State) {
      self.start = start
      self.end = end
    }
  }

  @usableFromInline
  struct Outcome<State, Result> {
    @usableFromInline let state: State
    @usableFromInline let result: Result
    @usableFromInline let isChanged: Bool
    /// Kept until the outcome has been used: a value's `deinit` may commit too.
    @usableFromInline let level: CommitLevel
    /// The last call of the closure, where inner commits have made edits.
    @usableFromInline let last: Call<State>?

    @inlinable
    init(
      state: State, result: Result, isChanged: Bool, level: CommitLevel, last: Call<State>?
    ) {
      self.state = state
      self.result = result
      self.isChanged = isChanged
      self.level = level
      self.last = last
    }

    @inlinable var activities: [AnySentActivity] { level.activities }
    @inlinable var refusal: NestedCommitError? { level.refusal }
  }

  private var levels: [CommitLevel] = []
  /// What everybody sees now: the thread that has the turn changes it, and need not lock to read it.
  @usableFromInline var current: AnySnapshot
  /// Whether the state is known to have no hook of its own.
  var reducesNothing = false
  /// Whether it is known that nothing is asked about a commit, and nothing lies over it.
  @usableFromInline var isPlain = false
  /// Whether something is on its way to observers since this turn began.
  @usableFromInline var mustDeliver = false
  /// What is to be reported when the turn is over.
  @usableFromInline var problems: [StoreProblem] = []

  init(current: AnySnapshot) { self.current = current }

  /// Whether a commit's closure is running.
  var isOpen: Bool { !levels.isEmpty }

  /// Why the innermost open commit is refused.
  var refusal: NestedCommitError? { levels.last?.refusal }

  /// Keeps an activity back until the commit it was sent in is published.
  func hold(_ activity: AnySentActivity) {
    levels[levels.count - 1].activities.append(activity)
  }

  /// Runs the closure of a commit, twice if it and the commits inside it both make edits.
  @inlinable
  func run<State: Sendable, Result>(
    from start: Snapshot<State>, _ equality: Equality<State>,
    _ body: (inout State) throws -> Result
  ) rethrows -> Outcome<State, Result> {
    open(from: start)
    var state = start.value
    var last: Call<State>?
    do {
      var result = try body(&state)
      if let joined = unseenEdits()?.of(State.self) {
        let first = state
        last = Call(start: start, end: first)
        state = joined.value
        if !equality.areSurelyEqual(start.value, first) {
          rewind()
          result = try body(&state)
          endReplay()
          last = Call(start: joined, end: state)
        }
        withExtendedLifetime(first) {}
      }
      let isChanged = !equality.areSurelyEqual(start.value, state)
      return Outcome(
        state: state, result: result, isChanged: isChanged, level: finish(), last: last)
    } catch {
      let dropped = close()
      withExtendedLifetime(dropped) {}
      throw error
    }
  }

  @usableFromInline
  func open(from start: AnySnapshot) { levels.append(CommitLevel(start: start)) }

  @usableFromInline
  func close() -> CommitLevel { levels.removeLast() }

  /// Closes the innermost commit, which is refused when there are edits that it does not contain.
  @usableFromInline
  func finish() -> CommitLevel {
    var level = close()
    if level.hasUnseenEdits { level.refuse(.insideReduce) }
    return level
  }

  /// The state with the inner edits that the innermost closure has not been given, which count as
  /// given from now on; `nil` when there are none.
  @usableFromInline
  func unseenEdits() -> AnySnapshot? {
    let index = levels.count - 1
    return levels[index].hasUnseenEdits ? levels[index].showEdits() : nil
  }

  /// Prepares for another call of the innermost closure.
  @usableFromInline
  func rewind() {
    let outgrown = levels[levels.count - 1].rewind()
    withExtendedLifetime(outgrown) {}
  }

  @usableFromInline
  func endReplay() { levels[levels.count - 1].endReplay() }

  /// Runs the closure of a commit inside the innermost open one.
  func join<State: Sendable, Result>(
    _ equality: Equality<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let index = levels.count - 1
    if levels[index].isReplay { return try joinAgain(equality, body) }
    let start = levels[index].joined.of(State.self)
    let outcome: Outcome<State, Result>
    do {
      outcome = try run(from: start, equality, body)
    } catch {
      _ = levels[index].join(
        JoinedCommit(start: start, end: nil, isChanged: false, inner: []), leadingTo: nil)
      throw error
    }
    let commit = JoinedCommit(
      start: outcome.last?.start ?? start,
      end: Snapshot(outcome.last?.end ?? outcome.state, version: start.version),
      isChanged: outcome.isChanged, inner: outcome.level.inner)
    let outgrown = levels[index].join(
      commit,
      leadingTo: outcome.isChanged ? Snapshot(outcome.state, version: start.version) : nil)
    levels[index].activities += outcome.activities
    levels[index].refusal = levels[index].refusal ?? outcome.refusal
    withExtendedLifetime(outgrown) {}
    return outcome.result
  }

  /// Runs the closure of a commit inside one whose closure is called again: it must make the edit that
  /// it made before.
  private func joinAgain<State: Sendable, Result>(
    _ equality: Equality<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let index = levels.count - 1
    guard let commit = levels[index].nextReplayed() else {
      return try joinWithoutEdit(from: levels[index].joined, equality, body)
    }
    // One that threw is given what it was given before.
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

  /// Runs the closure of a commit that was not made before or that threw: it must make no edit.
  private func joinWithoutEdit<State: Sendable, Result>(
    from start: AnySnapshot, _ equality: Equality<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let index = levels.count - 1
    let outcome = try run(from: start.of(State.self), equality, body)
    levels[index].activities += outcome.activities
    if outcome.isChanged { levels[index].refuse(.additional) }
    return outcome.result
  }
}
