/// The commits that are open on the thread that has the turn: the outer one, and those inside it.
///
/// A commit inside a commit joins it, and neither edit may be lost, although nobody can look at
/// the outer closure's unfinished state: it is held `inout`, and a second access would break
/// Swift's rule of exclusivity. So the inner closure runs at once, on what the outer one was given
/// (plus the inner edits before it). When the outer closure returns and both have made edits, it
/// is called again on top of the inner edits; the inner commits it makes then are not made twice,
/// but give the result they gave before.
///
/// Sendable although its properties are `var`s: only the thread that has the turn touches them.
@usableFromInline
final class CommitLevels: @unchecked Sendable {
  @usableFromInline
  struct Outcome<State, Result> {
    @usableFromInline let state: State
    @usableFromInline let result: Result
    @usableFromInline let isChanged: Bool
    /// Kept until the outcome has been used: a value's `deinit` may commit too.
    @usableFromInline let level: CommitLevel

    @inlinable
    init(state: State, result: Result, isChanged: Bool, level: CommitLevel) {
      self.state = state
      self.result = result
      self.isChanged = isChanged
      self.level = level
    }

    @inlinable var activities: [AnySentActivity] { level.activities }
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

  /// Keeps an activity back until the commit it was sent in is published.
  func hold(_ activity: AnySentActivity) {
    levels[levels.count - 1].activities.append(activity)
  }

  /// Runs the closure of a commit, as often as inner commits make it necessary.
  @inlinable
  func run<State: Sendable, Result>(
    from start: Snapshot<State>, _ equality: Equality<State>,
    _ body: (inout State) throws -> Result
  ) rethrows -> Outcome<State, Result> {
    open(from: start)
    var base = start
    var state = start.value
    do {
      var result = try body(&state)
      while let joined = unseenEdits()?.of(State.self) {
        if equality.areSurelyEqual(base.value, state) {
          state = joined.value
        } else {
          rewind()
          base = joined
          state = joined.value
          result = try body(&state)
        }
      }
      let isChanged = !equality.areSurelyEqual(start.value, state)
      return Outcome(state: state, result: result, isChanged: isChanged, level: close())
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

  /// Runs the closure of a commit inside the innermost open one.
  func join<State: Sendable, Result>(
    _ equality: Equality<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Result {
    let index = levels.count - 1
    if let answer = levels[index].nextAnswer(of: Result.self) {
      return answer
    }
    let start = levels[index].joined.of(State.self)
    let outcome: Outcome<State, Result>
    do {
      outcome = try run(from: start, equality, body)
    } catch {
      let outgrown = levels[index].record(nil)
      withExtendedLifetime(outgrown) {}
      throw error
    }
    let answer = CommitAnswer(outcome.result, activities: outcome.activities)
    let state =
      outcome.isChanged
      ? Snapshot(outcome.state, version: start.version) : nil
    let outgrown = levels[index].record(answer, state: state)
    withExtendedLifetime(outgrown) {}
    return outcome.result
  }
}
