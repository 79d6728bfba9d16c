import Entia
import EntiaPostgreSQL
import Foundation

@Entity
struct Note {
  let id: String
  var text: String
  var isDone = false

  var line: String { "[\(isDone ? "x" : " ")] \(text)" }
}

@NormalizedStorage
struct Notes {
  @Table var notes: Tables.Hash<Note> = .init()
}

struct AppState: StateType {
  var list = Notes()
}

/// A terminal's copy of the list, which is shared with the other terminals.
final class SharedNotes: StoreComponentType {
  let store: Store<AppState, Never>
  private let shared: SharedDatabase<Notes>
  private let sharing: DatabaseSharing<Notes>
  private let observers: [StoreSubscription]

  init(connecting connection: String, space: String) async throws {
    try await SharedDatabase<Notes>.install(connecting: connection)
    shared = try await SharedDatabase<Notes>(connecting: connection, space: space)
    store = Store(initialState: AppState(list: try await shared.load()))
    sharing = try store.share(\.list, through: shared)
    sharing.onRejection { batch, error in
      print("taken back: \(batch.name ?? "an edit"), because \(error)")
    }
    observers = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { states in
        guard let old = states.previous else { return }
        for edit in states.primitive.list.edits(since: old.primitive.list) { print(edit) }
      },
      sharing.sinkStatus(queue: .passthrough) { statuses in
        let wasOffline = statuses.previous?.primitive.isOffline ?? false
        if case .offline(_, let error) = statuses.primitive {
          if !wasOffline { print("offline, edits wait: \(error)") }
        } else if wasOffline {
          print("online again")
        }
      },
    ]
  }

  var listing: String {
    state.list.notes.enumerated().map { "\($0 + 1) \($1.line)" }.joined(separator: "\n")
  }

  func add(_ text: String) {
    batch(\.list, "Add") { $0.notes.insert(Note(id: UUID().uuidString, text: text)) }
  }

  /// Changes the note at a place of the list, or removes it.
  /// - Returns: Whether there is a note.
  func change(at place: Int?, _ name: String, _ body: (inout Note?) -> Void) -> Bool {
    guard let place, let note = state.list.notes.dropFirst(place - 1).first(where: { _ in true })
    else { return false }
    batch(\.list, name) { body(&$0.notes[note.entityID]) }
    return true
  }

  /// Waits until the server has confirmed or rejected each edit.
  func close() async throws {
    try await sharing.settled()
    sharing.close()
    await shared.close()
  }
}

extension Notes {
  /// The edits since an older version, from any terminal.
  func edits(since old: Notes) -> [String] {
    let changes = changes(since: old).changes(of: Note.self)
    return changes.removed.map { "removed \($0.line)" }
      + changes.updated.map { "edited \($0.new.line)" }
      + changes.inserted.map { "added \($0.line)" }
  }
}

extension DatabaseSharing.Status {
  var isOffline: Bool {
    if case .offline = self { return true }
    return false
  }
}
