import EntiaStore
import Foundation

/// Wakes a thread that waits for a socket. The thread then ends its call or does other work.
final class Interruption: Sendable {
  private struct State {
    var isClosed = false
    var isSignaled = false
  }

  private let state = Mutex(State())
  /// The ends of a pipe. Threads wait until the reader has data, and a signal writes data to the
  /// writer. Both descriptors are -1 if the system had no descriptor left.
  let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 { ends = [-1, -1] }
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    if reader >= 0 { _ = Foundation.close(reader) }
    if writer >= 0 { _ = Foundation.close(writer) }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func signal() {
    let isFirst = state.withLock { state in
      defer { state.isSignaled = true }
      return !state.isSignaled
    }
    if isFirst, writer >= 0 {
      var byte: UInt8 = 1
      _ = write(writer, &byte, 1)
    }
  }

  /// Ends the calls under way. Later calls end at once.
  func close() {
    state.withLock { $0.isClosed = true }
    signal()
  }

  /// Discards the signals so far. A closed interruption stays signaled.
  func reset() {
    let drains = state.withLock { state in
      if state.isClosed || !state.isSignaled { return false }
      state.isSignaled = false
      return true
    }
    if !drains { return }
    var byte: UInt8 = 0
    _ = read(reader, &byte, 1)
  }
}
