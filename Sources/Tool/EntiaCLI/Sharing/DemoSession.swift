#if ENTIA_POSTGRESQL
  import EntiaDatabase
  import EntiaPostgreSQL
  import EntiaStore
  import Foundation

  /// The result of a task.
  private final class ResultBox<Result>: @unchecked Sendable {
    // Unchecked because a semaphore orders the only write before the only read.
    var result: Result?
  }

  /// A terminal of the demonstration: the state that it shares, and what it has printed of it.
  ///
  /// All events are one stream, and one task prints: lines of the input, edits of others, changes
  /// of the connection.
  struct DemoSession {
    private struct State: Equatable, Sendable {
      var list: DemoNotes
    }

    private enum Event: Sendable {
      case line(String)
      /// The input has ended.
      case end
      /// The notes have changed.
      case change
      case status(DatabaseSharing<DemoNotes>.Status)
      case rejection(String)
      /// Every edit is confirmed or rejected, or the sharing has failed.
      case settled(SharedDatabaseError?)
    }

    private let store: Store<State, Never>
    private let sharing: DatabaseSharing<DemoNotes>
    private let events: AsyncStream<Event>.Continuation
    private let console = Console()
    /// The notes as they are printed.
    private var printed: DemoNotes
    private var isOffline = false
    private var isEnding = false

    /// Runs the demonstration until the input ends and every edit is confirmed.
    /// - Throws: The failure of the connection, at the start or one that does not pass.
    static func run(
      connecting connection: String, space: String
    ) throws(CommandFailure) {
      let result = waiting { () async -> Result<Void, CommandFailure> in
        do {
          let shared = try await open(connecting: connection, space: space)
          let store = Store<State, Never>(initialState: State(list: try await shared.load()))
          let (stream, events) = AsyncStream<Event>.makeStream()
          let sharing = try store.share(\.list, through: shared)
          var session = DemoSession(store: store, sharing: sharing, events: events)
          try await session.run(stream, space: space)
          sharing.close()
          await shared.close()
          return .success(())
        } catch let failure as CommandFailure {
          return .failure(failure)
        } catch {
          return .failure(CommandFailure(error, of: SpaceArguments.to))
        }
      }
      try result.get()
    }

    /// Runs a task, and blocks the thread until its end.
    private static func waiting<Result: Sendable>(
      _ body: @escaping @Sendable () async -> Result
    ) -> Result {
      let box = ResultBox<Result>()
      let end = DispatchSemaphore(value: 0)
      Task.detached {
        box.result = await body()
        end.signal()
      }
      while true {
        end.wait()
        if let result = box.result { return result }
      }
    }

    private static func open(
      connecting connection: String, space: String
    ) async throws -> SharedDatabase<DemoNotes> {
      do {
        return try await SharedDatabase<DemoNotes>(connecting: connection, space: space)
      } catch SharedDatabaseError.notInstalled {
        try await SharedDatabase<DemoNotes>.install(connecting: connection)
        try Console().print("the tables were missing, and are installed now\n")
        return try await SharedDatabase<DemoNotes>(connecting: connection, space: space)
      }
    }

    private init(
      store: Store<State, Never>, sharing: DatabaseSharing<DemoNotes>,
      events: AsyncStream<Event>.Continuation
    ) {
      self.store = store
      self.sharing = sharing
      self.events = events
      printed = store.state.list
    }

    private mutating func run(
      _ stream: AsyncStream<Event>, space: String
    ) async throws(CommandFailure) {
      let events = events
      let changes = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
        events.yield(.change)
      }
      let statuses = sharing.sinkStatus(queue: .passthrough) { events.yield(.status($0.primitive)) }
      sharing.onRejection { batch, error in
        events.yield(.rejection("\(batch.name ?? "an edit"), because \(error)"))
      }
      try print(["space '\(DemoText.printable(space))'; 'help' lists the commands"] + list())
      let reader = Thread {
        while let line = readLine() { events.yield(.line(line)) }
        events.yield(.end)
      }
      reader.start()
      for await event in stream {
        if try !handle(event) { break }
      }
      withExtendedLifetime((changes, statuses)) {}
    }

    /// Handles an event.
    /// - Returns: Whether to go on.
    private mutating func handle(_ event: Event) throws(CommandFailure) -> Bool {
      switch event {
      case .line(let line):
        if !isEnding { try perform(DemoLine(line)) }
      case .end: try end()
      case .change: try show(store.state.list)
      case .status(let status): try show(status)
      case .rejection(let reason):
        try show(store.state.list)
        try print(["taken back: \(reason)"])
      case .settled(let error):
        if let error { throw CommandFailure(error, of: SpaceArguments.to) }
        try show(store.state.list)
        return false
      }
      return true
    }

    private func print(_ lines: [String]) throws(CommandFailure) {
      if lines.isEmpty { return }
      try console.print(lines.map { $0 + "\n" }.joined())
    }

    /// Prints the edits of others up to a version of the notes.
    private mutating func show(_ notes: DemoNotes) throws(CommandFailure) {
      let edits = notes.edits(since: printed)
      printed = notes
      try print(edits.map { "others: \($0)" })
    }

    private mutating func show(
      _ status: DatabaseSharing<DemoNotes>.Status
    ) throws(CommandFailure) {
      guard case .offline(_, let error) = status else {
        if isOffline { try print(["online again\(waiting)"]) }
        isOffline = false
        return
      }
      if !error.isTransient { throw CommandFailure(error, of: SpaceArguments.to) }
      if !isOffline { try print(["offline: \(error)\(waiting)"]) }
      isOffline = true
    }

    /// The number of edits that wait, as the end of a line.
    private var waiting: String {
      let count = sharing.waitingBatches
      return count == 0 ? "" : "; \(count) edit\(count == 1 ? " waits" : "s wait") for the server"
    }

    private func list() -> [String] {
      if printed.notes.isEmpty { return ["no notes"] }
      return printed.notes.enumerated().map { "\($0 + 1)  \($1.line)" }
    }

    /// Waits for the server, and then ends.
    private mutating func end() throws(CommandFailure) {
      if isEnding { return }
      isEnding = true
      if isOffline { try print(["waiting for the server; Control-C gives up\(waiting)"]) }
      let (sharing, events) = (sharing, events)
      Task {
        do {
          try await sharing.settled()
          events.yield(.settled(nil))
        } catch {
          events.yield(.settled(error as? SharedDatabaseError))
        }
      }
    }

    private mutating func perform(_ line: DemoLine) throws(CommandFailure) {
      switch line {
      case .add(let text):
        try commit("add '\(text)'") { notes in
          let note = DemoNote(id: notes.unusedID(), text: text, isDone: false)
          notes.performBatchUpdates { $0.modifying.notes.insert(note) }
        }
      case .edit(let word, let text): try update(word, "edit") { $0.text = text }
      case .done(let word): try update(word, "done") { $0.isDone.toggle() }
      case .remove(let word):
        try change(word, "remove") { note, notes in
          notes.performBatchUpdates { _ = $0.modifying.notes.remove(note.entityID) }
        }
      case .list: try print(list())
      case .undo: try step("nothing to undo") { $0.undo() }
      case .redo: try step("nothing to redo") { $0.redo() }
      case .status: try print([status])
      case .help:
        try print(DemoLine.grammar + ["NOTE is the ID of a note, or its number in the list"])
      case .quit: try end()
      case .empty: break
      case .invalid(let reason): try print([reason])
      }
    }

    private var status: String {
      switch sharing.status {
      case .live: "live: every edit is confirmed"
      case .behind: "online\(waiting)"
      case .offline(let since, let error):
        "offline for \(Int(Date().timeIntervalSince(since))) s: \(error)\(waiting)"
      }
    }

    private mutating func update(
      _ word: String, _ verb: String, _ body: (inout DemoNote) -> Void
    ) throws(CommandFailure) {
      try change(word, verb) { note, notes in
        notes.performBatchUpdates { context in
          _ = context.modifying.notes.updateIfExists(id: note.entityID, body)
        }
      }
    }

    private mutating func change(
      _ word: String, _ verb: String, _ body: (DemoNote, inout DemoNotes) -> Void
    ) throws(CommandFailure) {
      // The number is that of the list that was printed.
      guard let note = printed.note(word) else {
        return try print(["there is no note '\(word)'; 'list' shows the notes"])
      }
      try commit("\(verb) \(note.id)") { body(note, &$0) }
    }

    /// Commits an edit, and prints what it changed.
    private mutating func commit(
      _ name: String, _ body: (inout DemoNotes) -> Void
    ) throws(CommandFailure) {
      let (before, after) = store.commit(name) { state in
        let before = state.list
        body(&state.list)
        return (before, state.list)
      }
      try show(own: after, since: before)
    }

    private mutating func step(
      _ nothing: String, _ body: (Store<State, Never>) -> Bool
    ) throws(CommandFailure) {
      let before = store.state.list
      if body(store) {
        try show(own: store.state.list, since: before)
      } else {
        try print([nothing])
      }
    }

    private mutating func show(
      own after: DemoNotes, since before: DemoNotes
    ) throws(CommandFailure) {
      try show(before)
      printed = after
      let edits = after.edits(since: before)
      try print(
        (edits.isEmpty ? ["nothing changed"] : edits).map { $0 + (isOffline ? waiting : "") })
    }
  }
#endif
