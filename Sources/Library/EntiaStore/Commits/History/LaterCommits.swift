/// The unrecorded commits after a step: undoing or redoing the step keeps them.
struct LaterCommits<Version> {
  /// The version after the step, before the first of these commits.
  var origin: Version
  /// Their edits in order, without those that changed only databases.
  var edits: [AnyReplayableEdit] = []
}

extension LaterCommits: Sendable where Version: Sendable {}
