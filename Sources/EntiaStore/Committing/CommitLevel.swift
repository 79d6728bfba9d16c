/// What an inner commit gave, to be given again when the closure around it is called again.
@usableFromInline
class AnyCommitAnswer {
  let activities: [AnySentActivity]

  fileprivate init(activities: [AnySentActivity]) {
    self.activities = activities
  }
}

/// An answer together with its result.
final class CommitAnswer<Result>: AnyCommitAnswer {
  let result: Result

  init(_ result: Result, activities: [AnySentActivity]) {
    self.result = result
    super.init(activities: activities)
  }
}

/// An open commit, as seen by the commits inside it.
@usableFromInline
struct CommitLevel {
  /// What the closure was given at first, with the edits of the inner commits.
  @usableFromInline private(set) var joined: AnySnapshot
  /// Whether inner commits have made edits that the closure has not been given.
  @usableFromInline private(set) var hasUnseenEdits = false
  /// What was sent in this call of the closure.
  @usableFromInline var activities: [AnySentActivity] = []
  /// One answer an inner commit, in order; `nil` for one that threw.
  private var answers: [AnyCommitAnswer?] = []
  private var position = 0

  init(start: AnySnapshot) {
    joined = start
  }

  /// Gives the state with every inner edit, which counts as seen from now on.
  mutating func showEdits() -> AnySnapshot {
    hasUnseenEdits = false
    return joined
  }

  /// Prepares for another call of the closure, and gives what must be released later.
  mutating func rewind() -> [AnySentActivity] {
    position = 0
    let outgrown = activities
    activities = []
    return outgrown
  }

  /// The result of the next inner commit, when it has been made in an earlier call.
  mutating func nextAnswer<Result>(of type: Result.Type) -> Result? {
    guard position < answers.count,
      let answer = answers[position] as? CommitAnswer<Result>
    else { return nil }
    position += 1
    activities += answer.activities
    return answer.result
  }

  /// Remembers an inner commit that has just been made, and gives what must be released later.
  mutating func record(
    _ answer: AnyCommitAnswer?, state: AnySnapshot? = nil
  ) -> (answer: AnyCommitAnswer?, state: AnySnapshot?) {
    var outgrown: (answer: AnyCommitAnswer?, state: AnySnapshot?) = (nil, nil)
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
      joined = state
      hasUnseenEdits = true
    }
    return outgrown
  }
}
