import Dispatch
import EntiaSystemSQLite
import Foundation

/// Calls a closure when another process may have changed a database file: when a version is
/// announced, when the log is written, or when a file with its name appears.
///
/// A program without Entia announces nothing, and writes the log before its changes can be read.
/// The closure is therefore called again after a while. Where the system reports changes of files,
/// an idle file costs nothing. Elsewhere the closure is called four times a second.
final class FileWatch: @unchecked Sendable {
  // Unchecked because Dispatch does not declare that sources may be used by any thread.
  private let source: any DispatchSourceProtocol

  /// Begins to watch a file.
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - queue: The queue of the calls.
  ///   - onChange: The closure.
  init(_ path: String, on queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = resolved.deletingLastPathComponent().path
    let watch = entia_watch_folder(folder)
    if watch >= 0 {
      source = Self.events(of: watch, named: resolved.lastPathComponent, queue, onChange)
    } else {
      source = Self.polling(queue, onChange)
    }
    source.activate()
  }

  deinit { cancel() }

  /// Ends the calls.
  func cancel() { source.cancel() }

  /// The delays in milliseconds after an event at which the closure is called again.
  private static let laterLooks = [10, 100, 500]

  private static func polling(
    _ queue: DispatchQueue, _ onChange: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(250), repeating: .milliseconds(250),
      leeway: .milliseconds(50))
    timer.setEventHandler(handler: onChange)
    return timer
  }

  private static func events(
    of watch: Int32, named name: String, _ queue: DispatchQueue,
    _ onChange: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
    let names = ["\(name)-entia", "\(name)-wal", name].map { Array($0.utf8) }
    source.setEventHandler {
      guard hasEvent(watch, named: names) else { return }
      onChange()
      for delay in laterLooks {
        queue.asyncAfter(deadline: .now() + .milliseconds(delay), execute: onChange)
      }
    }
    source.setCancelHandler { _ = Foundation.close(watch) }
    return source
  }

  /// Reads all events.
  /// - Returns: Whether one is of a file with one of the names, or events may have been lost.
  private static func hasEvent(_ watch: Int32, named names: [[UInt8]]) -> Bool {
    let header = entia_event_length
    let lengthOffset = entia_event_name_length
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    var isFound = false
    while true {
      let count = read(watch, &bytes, bytes.count)
      if count <= 0 { return isFound }
      var start = 0
      while start + header <= count {
        let length = bytes.withUnsafeBytes {
          Int($0.loadUnaligned(fromByteOffset: start + lengthOffset, as: UInt32.self))
        }
        let end = min(count, start + header + length)
        let name = bytes[start + header..<end].prefix { $0 != 0 }
        // An event without a name reports that others were lost.
        if name.isEmpty || names.contains(where: name.elementsEqual) { isFound = true }
        start = end
      }
    }
  }
}
