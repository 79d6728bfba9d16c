import Dispatch
import EntiaSystemSQLite
import Foundation

/// Calls a closure when another process may have changed a database file: when a version is
/// announced, when the log is written, or when a file with its name appears.
///
/// A program without Entia announces no version, and an event of the log may arrive before the
/// changes in the log can be read. The closure is therefore called again several times after the
/// events, for less than a minute. Where the system reports changes of files, an idle file costs
/// nothing. Elsewhere the closure is called four times a second.
final class FileWatch: @unchecked Sendable {
  // `Sendable` is unchecked because of the Dispatch sources that the closure captures. Any thread
  // may use a source, but the type of the source is not declared as `Sendable`.
  private let end: () -> Void

  /// Begins to watch a file.
  /// - Parameters:
  ///   - path: The path of the database.
  ///   - queue: The queue of the calls.
  ///   - onChange: The closure.
  init(_ path: String, on queue: DispatchQueue, onChange: @escaping @Sendable () -> Void) {
    let resolved = FileLock.resolved(path)
    let parts = resolved.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.count > 1 ? "\(parts.dropLast().joined(separator: "/"))/" : "."
    #if canImport(Darwin)
      if access(folder, R_OK) == 0 {
        let events = FileEvents(of: resolved, in: folder, on: queue, onChange)
        events.start()
        end = events.cancel
        return
      }
    #endif
    let watch = entia_watch_folder(folder)
    let source =
      watch >= 0
      ? Self.events(of: watch, named: String(parts.last ?? ""), queue, onChange)
      : Self.polling(queue, onChange)
    source.activate()
    end = source.cancel
  }

  deinit { cancel() }

  /// Stops the calls of the closure.
  func cancel() { end() }

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
    let looks = Looks(on: queue, onChange)
    source.setEventHandler {
      if hasEvent(watch, named: names) { looks.noteEvent() }
    }
    source.setCancelHandler { _ = Foundation.close(watch) }
    return source
  }

  /// Reads all pending events.
  /// - Returns: Whether an event is of a file with one of the names, or events may have been lost.
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
        // An event without a name reports that other events were lost.
        if name.isEmpty || names.contains(where: name.elementsEqual) { isFound = true }
        start = end
      }
    }
  }
}

/// Calls a closure at each event, and several more times after the last event of a series.
final class Looks: @unchecked Sendable {
  // The class is `@unchecked Sendable`, because only the queue uses the mutable properties.
  private let wait: (_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) -> Void
  private let onChange: @Sendable () -> Void
  /// The pauses in milliseconds after the last event. The closure is called after each pause.
  ///
  /// A commit of a program without Entia can be read only after its sync, which causes no event and
  /// may take seconds on a slow disk.
  private static let pauses = [10, 90, 400, 1_500, 4_000, 10_000, 30_000]
  /// The index of the pause under way; `nil` without one.
  private var pause: Int?
  /// The number of pauses that were begun. A pause has no effect after a later pause has begun.
  private var pauseCount = 0
  /// Whether there was an event in the pause under way.
  private var hasEvent = false

  convenience init(on queue: DispatchQueue, _ onChange: @escaping @Sendable () -> Void) {
    self.init(onChange) {
      queue.asyncAfter(deadline: .now() + .milliseconds($0), execute: $1)
    }
  }

  /// Creates an object that waits by a closure. The closure calls its argument after a pause.
  init(
    _ onChange: @escaping @Sendable () -> Void,
    wait: @escaping (_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) -> Void
  ) {
    self.onChange = onChange
    self.wait = wait
  }

  /// Calls the closure. Called on the queue.
  func noteEvent() {
    onChange()
    hasEvent = true
    // The first pause is not begun anew, so that further events do not delay the call at its end.
    if pause != 0 { begin(0) }
  }

  private func begin(_ index: Int) {
    pause = index
    pauseCount += 1
    hasEvent = false
    let number = pauseCount
    wait(Self.pauses[index]) { [weak self] in
      // The event handler retains the object until the watch ends.
      if let self, number == pauseCount { end(index) }
    }
  }

  private func end(_ index: Int) {
    pause = nil
    onChange()
    let next = hasEvent ? 0 : index + 1
    if next < Self.pauses.count { begin(next) }
  }
}

#if canImport(Darwin)
  /// Calls a closure when the kernel reports a change of a database, its log, lock or folder.
  private final class FileEvents: @unchecked Sendable {
    // The class is `@unchecked Sendable`, because only `queue` uses the mutable properties.
    private let paths: [String]
    private let queue: DispatchQueue
    private let looks: Looks
    private var sources: [String: any DispatchSourceFileSystemObject] = [:]
    private var hasEnded = false

    init(
      of path: String, in folder: String, on queue: DispatchQueue,
      _ onChange: @escaping @Sendable () -> Void
    ) {
      // The database is not watched, because closing its descriptor would remove the locks of the
      // process. The folder reports that the database is removed or replaced.
      paths = [folder, "\(path)-entia", "\(path)-wal"]
      self.queue = queue
      looks = Looks(on: queue, onChange)
    }

    func start() { queue.async { [self] in watch() } }

    func cancel() {
      queue.async { [self] in
        hasEnded = true
        for source in sources.values { source.cancel() }
        sources = [:]
      }
    }

    /// Begins to watch each of `paths` that exists. If a missing file appears, an event of the
    /// folder calls this method again.
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
        // Another file may now be at the path. If so, `watch()` begins to watch that file.
        source.cancel()
        sources[path] = nil
      }
      watch()
      looks.noteEvent()
    }
  }
#endif
