/// What an inner commit gave, to be given again when the closure around it is called again.
class AnyCommitAnswer<Activity> {
  let activities: [Activity]

  init(activities: [Activity]) {
    self.activities = activities
  }
}

/// An answer together with its result.
final class CommitAnswer<Result, Activity>: AnyCommitAnswer<Activity> {
  let result: Result

  init(_ result: Result, activities: [Activity]) {
    self.result = result
    super.init(activities: activities)
  }
}

/// An open commit, as seen by the commits inside it.
struct CommitLevel<State: Sendable, Activity: Sendable> {
  /// What the closure was given at first, with the edits of the inner commits.
  private(set) var joined: Snapshot<State>
  /// Whether inner commits have made edits that the closure has not been given.
  private(set) var hasUnseenEdits = false
  /// What was sent in this call of the closure.
  var activities: [Activity] = []
  /// One answer an inner commit, in order; `nil` for one that threw.
  private var answers: [AnyCommitAnswer<Activity>?] = []
  private var position = 0

  init(start: Snapshot<State>) {
    joined = start
  }

  /// Gives the state with every inner edit, which counts as seen from now on.
  mutating func showEdits() -> Snapshot<State> {
    hasUnseenEdits = false
    return joined
  }

  /// Prepares for another call of the closure, and gives what must be released later.
  mutating func rewind() -> [Activity] {
    position = 0
    let outgrown = activities
    activities = []
    return outgrown
  }

  /// The result of the next inner commit, when it has been made in an earlier call.
  mutating func nextAnswer<Result>(of type: Result.Type) -> Result? {
    guard position < answers.count,
      let answer = answers[position] as? CommitAnswer<Result, Activity>
    else { return nil }
    position += 1
    activities += answer.activities
    return answer.result
  }

  /// Remembers an inner commit that has just been made, and gives what must be released later.
  mutating func record(
    _ answer: AnyCommitAnswer<Activity>?, state: State? = nil
  ) -> (answer: AnyCommitAnswer<Activity>?, state: Snapshot<State>?) {
    var outgrown: (answer: AnyCommitAnswer<Activity>?, state: Snapshot<State>?) = (nil, nil)
    if position < answers.count {
      outgrown.answer = answers[position]
      answers[position] = answer
    } else {
      answers.append(answer)
    }
    position += 1
    activities += answer?.activities ?? []
    if let state {
      outgrown.state = joined
      joined = Snapshot(state, version: joined.version, commitName: nil)
      hasUnseenEdits = true
    }
    return outgrown
  }
}
