import EntiaDatabase
import EntiaStore

// Reports of skipped rows and of rejected batches.
extension SharingEngine {
  /// Replaces `skippedRows`, and reports each new row that was not among the previous ones.
  func noteSkipped(_ rows: [SkippedRow]) {
    let (part, new) = contents.withLock { contents in
      let former = Set(contents.skippedRows)
      contents.skippedRows = rows
      return (contents.part, rows.filter { !former.contains($0) })
    }
    for row in new { part?.observation.report(StoreProblem(skipping: row, in: space)) }
  }

  /// Keeps the receivers of rejections until `endReporting()`, even if the sharing is closed.
  /// - Returns: Whether there are receivers; `false` if the sharing has already ended.
  func beginReporting() -> Bool {
    contents.withLock { contents in
      contents.isReporting = contents.phase != .ended
      return contents.isReporting
    }
  }

  /// Releases the receivers of rejections if the sharing was closed meanwhile.
  func endReporting() {
    contents.release { contents in
      let former = (contents.part, contents.onRejection)
      contents.isReporting = false
      if contents.phase == .ended { contents.releaseReceivers() }
      return former
    }
  }

  /// Reports rejected batches. Then updates the finished number and resumes the waiters.
  func noteProgress(_ part: OptimisticPart<Storage>, _ rejected: [RejectedBatch<Storage>]) {
    for rejection in rejected { report(rejection) }
    let finished = part.finishedNumber
    let waiters = contents.withLock { contents -> [Waiter] in
      contents.version = part.confirmed.version
      guard contents.phase != .ended else { return [] }
      contents.taken = part.waiting.count
      contents.finishedNumber = finished
      return contents.removeWaiters { $0.number <= finished }
    }
    for waiter in waiters { waiter.continuation.resume() }
  }

  private func report(_ rejection: RejectedBatch<Storage>) {
    let (handler, part) = contents.withLock { ($0.onRejection, $0.part) }
    if let handler {
      handler(rejection.shared, rejection.error)
    } else {
      part?.observation.report(
        StoreProblem(batch: rejection.batch.name, rejectedBy: space, rejection.error))
    }
  }
}
