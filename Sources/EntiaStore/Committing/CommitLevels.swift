/// The commits that are open on the thread that has the turn: the outer one, and those inside it.
///
/// A commit inside a commit joins it, and neither edit may be lost, although nobody can look at
/// the outer closure's unfinished state: it is held `inout`, and a second access would break
/// Swift's rule of exclusivity. So the inner closure runs at once, on what the outer one was given
/// (plus the inner edits before it). When the outer closure returns and both have made edits, it
/// is called again on top of the inner edits; the inner commits it makes then are not made twice,
/// but give the result they gave before.
///
/// Sendable although its levels are a `var`: only the thread that has the turn touches them.
final class CommitLevels: @unchecked Sendable {
  struct Outcome<State, Result> {
    let state: State
    let result: Result
    let isChanged: Bool
    /// Kept until the outcome has been used: a value's `deinit` may commit too.
    fileprivate let level: CommitLevel

    var activities: [AnySentActivity] { level.activities }
  }

  private var levels: [CommitLevel] = []
  /// Whether the state is known to have no hook of its own.
  var reducesNothing = false
  /// What is to be reported when the turn is over.
  var problems: [StoreProblem] = []

  /// Whether a commit's closure is running.
  var isOpen: Bool { !levels.isEmpty }

  /// Keeps an activity back until the commit it was sent in is published.
  func hold(_ activity: AnySentActivity) {
    levels[levels.count - 1].activities.append(activity)
  }

  /// Runs the closure of a commit, as often as inner commits make it necessary.
  func run<State: Sendable, Result>(
    from start: Snapshot<State>, _ equality: Equality<State>,
    _ body: (inout State) throws -> Result
  ) rethrows -> Outcome<State, Result> {
    let index = levels.count
    levels.append(CommitLevel(start: start))
    var base = start
    var state = start.value
    do {
      var result = try body(&state)
      while levels[index].hasUnseenEdits {
        let joined = levels[index].showEdits().of(State.self)
        if equality.areSurelyEqual(base.value, state) {
          state = joined.value
        } else {
          let outgrown = levels[index].rewind()
          withExtendedLifetime(outgrown) {}
          base = joined
          state = joined.value
          result = try body(&state)
        }
      }
      let isChanged = !equality.areSurelyEqual(start.value, state)
      return Outcome(
        state: state, result: result, isChanged: isChanged, level: levels.removeLast())
    } catch {
      let dropped = levels.removeLast()
      withExtendedLifetime(dropped) {}
      throw error
    }
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
