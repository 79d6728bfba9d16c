public import EntiaStore

extension StoreInspection {
  /// A commit of an inspected store.
  ///
  /// Undoing and redoing are commits too, and so are changes of optimistic layers. A nested commit
  /// is a part of the outer one.
  public struct Commit: Sendable, CustomStringConvertible {
    /// The outcome of a commit.
    public enum Outcome: Sendable {
      /// The commit changed the state.
      case changed
      /// The commit led to an equal state.
      case unchanged
      /// A middleware refused the commit, or its nested commits cannot be repeated; the state is
      /// unchanged.
      case refused(any Error)
      /// The closure of the commit threw an error; the state is unchanged.
      case failed(any Error)
    }

    private let entry: CommitRecorder.Entry

    init(_ entry: CommitRecorder.Entry) { self.entry = entry }

    /// The number of the commit since the inspection began, from 1.
    public var number: Int { entry.number }

    /// The name of the commit.
    public var name: String? { entry.commit.name }

    /// The outcome.
    public var outcome: Outcome {
      switch entry.outcome {
      case .changed: .changed
      case .unchanged: .unchanged
      case .refused(let error): .refused(error)
      case .failed(let error): .failed(error)
      }
    }

    /// The time for which the commit held the commit lock: its closure, the middleware and the
    /// publication.
    public var duration: Duration { entry.duration }

    /// The time that the committing thread then spent in calls of observers, or `nil` before they
    /// have returned.
    public var observerDuration: Duration? { entry.delivery }

    /// The parts of the state that the commit changed, in the order of their declaration.
    ///
    /// - Complexity: O(changes) for databases, one comparison for each other part.
    public var parts: [StoreCommit.Part] { entry.commit.parts }

    /// The same parts, with one line for each changed row in the details.
    var partsWithRows: [StoreCommit.Part] { entry.commit.partsWithRows }

    /// The number, the name, the outcome, the durations and the changed parts, on one line.
    public var description: String {
      let times = [
        "in \(duration.inspectionText)", observerDuration.map { "observers \($0.inspectionText)" },
      ]
      let result =
        switch outcome {
        case .changed: "changed"
        case .unchanged: "unchanged"
        case .refused: "refused"
        case .failed: "failed"
        }
      let detail =
        switch outcome {
        case .changed: parts.map(\.description).joined(separator: ", ")
        case .unchanged: ""
        case .refused(let error), .failed(let error): "\(error)"
        }
      return "\(number) \(name ?? "commit"): \(result) "
        + times.compactMap { $0 }.joined(separator: ", ") + (detail.isEmpty ? "" : ": \(detail)")
    }
  }
}
