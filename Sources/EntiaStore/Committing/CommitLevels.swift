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
final class CommitLevels<State: Sendable, Activity: Sendable>: @unchecked Sendable {
  struct Outcome<Result> {
    let state: State
    let result: Result
    let isChanged: Bool
    /// Kept until the outcome has been used: a value's `deinit` may commit too.
    fileprivate let level: CommitLevel<State, Activity>

    var activities: [Activity] { level.activities }
  }

  private var levels: [CommitLevel<State, Activity>] = []
  private let equality: Equality<State>

  init(equality: Equality<State>) {
    self.equality = equality
  }

  /// Whether a commit's closure is running.
  var isOpen: Bool { !levels.isEmpty }

  /// Keeps an activity back until the commit it was sent in is published.
  func hold(_ activity: Activity) {
    levels[levels.count - 1].activities.append(activity)
  }

  /// Runs the closure of a commit, as often as inner commits make it necessary.
  func run<Result>(
    from start: Snapshot<State>, _ body: (inout State) throws -> Result
  ) rethrows -> Outcome<Result> {
    let index = levels.count
    levels.append(CommitLevel(start: start))
    var base = start
    var state = start.value
    do {
      var result = try body(&state)
      while levels[index].hasUnseenEdits {
        let joined = levels[index].showEdits()
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
  func join<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    let index = levels.count - 1
    if let answer = levels[index].nextAnswer(of: Result.self) {
      return answer
    }
    let outcome: Outcome<Result>
    do {
      outcome = try run(from: levels[index].joined, body)
    } catch {
      let outgrown = levels[index].record(nil)
      withExtendedLifetime(outgrown) {}
      throw error
    }
    let answer = CommitAnswer(outcome.result, activities: outcome.activities)
    let outgrown = levels[index].record(answer, state: outcome.isChanged ? outcome.state : nil)
    withExtendedLifetime(outgrown) {}
    return outcome.result
  }
}
