/// A write through a pointer: its commit without the edit.
struct RefWrite: Sendable {
  let name: String?
  /// `nil` for the default: coalescing with the last write through an equal pointer.
  var coalescing: UndoCoalescing?
  /// The place of the call, or a description of the write without a line.
  let place: StaticString
  let line: UInt?

  init(
    _ name: String? = nil, coalescing: UndoCoalescing? = nil,
    at place: StaticString = "a write through a pointer", line: UInt? = nil
  ) {
    self.name = name
    self.coalescing = coalescing
    self.place = place
    self.line = line
  }

  /// Returns the commit of a write that is an undo step.
  func request(of path: RefPath) -> CommitRequest {
    let coalescing = coalescing ?? .sameTarget(path)
    return CommitRequest(
      CommitMetadata(name: name), recording: .step(coalescing), at: place, line: line)
  }
}

/// The result of an update's closure, independent of its type.
final class RefUpdateResult {
  let result: Any

  init(_ result: Any) {
    self.result = result
  }
}
