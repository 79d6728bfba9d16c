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
  private let end: () -> Void

  /// Begins to watch a file.
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - queue: The queue of the calls.
  ///   - onChange: The closure.
  init(_ path: String, on queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
    let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = resolved.deletingLastPathComponent().path
    #if canImport(Darwin)
      if access(folder, R_OK) == 0 {
        let events = FileEvents(of: resolved.path, in: folder, on: queue, onChange)
        events.start()
        end = events.cancel
        return
      }
    #endif
    let watch = entia_watch_folder(folder)
    let source =
      watch >= 0
      ? Self.events(of: watch, named: resolved.lastPathComponent, queue, onChange)
      : Self.polling(queue, onChange)
    source.activate()
    end = source.cancel
  }

  deinit { cancel() }

  /// Ends the calls.
  func cancel() { end() }

  /// The delays in milliseconds after an event at which the closure is called again.
  private static let laterLooks = [10, 100, 500]

  /// Calls a closure now and at the delays.
  fileprivate static func look(_ queue: DispatchQueue, _ onChange: @escaping @Sendable () -> Void) {
    onChange()
    for delay in laterLooks {
      queue.asyncAfter(deadline: .now() + .milliseconds(delay), execute: onChange)
    }
  }

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
      if hasEvent(watch, named: names) { look(queue, onChange) }
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

#if canImport(Darwin)
  /// Calls a closure when the kernel reports a change of a database, its log, lock or folder.
  private final class FileEvents: @unchecked Sendable {
    // Unchecked because of the sources. Only the queue uses them.
    private let paths: [String]
    private let queue: DispatchQueue
    private let onChange: @Sendable () -> Void
    private var sources: [String: any DispatchSourceFileSystemObject] = [:]
    private var hasEnded = false

    init(
      of path: String, in folder: String, on queue: DispatchQueue,
      _ onChange: @escaping @Sendable () -> Void
    ) {
      paths = [folder, "\(path)-entia", "\(path)-wal", path]
      self.queue = queue
      self.onChange = onChange
    }

    func start() { queue.async { [self] in watch() } }

    func cancel() {
      queue.async { [self] in
        hasEnded = true
        for source in sources.values { source.cancel() }
        sources = [:]
      }
    }

    /// Begins to watch what exists now. The folder reports what appears later.
    private func watch() {
      if hasEnded { return }
      for path in paths where sources[path] == nil {
        let descriptor = Foundation.open(path, O_EVTONLY)
        if descriptor < 0 { continue }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
        source.setEventHandler { [weak self] in self?.noteEvent(at: path) }
        source.setCancelHandler { _ = Foundation.close(descriptor) }
        sources[path] = source
        source.activate()
      }
    }

    private func noteEvent(at path: String) {
      guard let source = sources[path] else { return }
      if !source.data.isDisjoint(with: [.delete, .rename]) {
        // Another file may be at the path.
        source.cancel()
        sources[path] = nil
      }
      watch()
      FileWatch.look(queue, onChange)
    }
  }
#endif
