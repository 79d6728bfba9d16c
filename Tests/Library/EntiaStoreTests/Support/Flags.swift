import EntiaDatabase
import EntiaStore

/// A state with rows that have a transient member.
enum Flags {
  struct Note: EntityType, Identifiable, Codable, Hashable {
    enum FlagDefault: TransientMemberDefault {
      static var value: Int { 0 }
    }

    let id: Int
    var title: Int
    private var storedFlag = TransientMember<FlagDefault>(0)
    var flag: Int {
      get { storedFlag.value }
      set { storedFlag.value = newValue }
    }

    init(id: Int, title: Int) { (self.id, self.title) = (id, title) }
  }

  struct Library: NormalizedStorageType {
    struct Contents: StorageContents {
      var notes = Tables.Hash<Note>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("notes", \.notes)
      }
    }

    var snapshot = Snapshot(Contents())
    var notes: Tables.Hash<Note> { snapshot.contents.notes }

    mutating func edit(_ id: Int, _ body: (inout Note) -> Void) {
      performBatchUpdates { context in
        _ = context.modifying.notes.updateIfExists(id: Note.EntityID(id), body)
      }
    }
  }

  /// Databases at several offsets, beside other values.
  struct State: Equatable, Sendable {
    struct Part: Equatable, Sendable {
      var isOpen = false
      var other = Library()
    }

    var text = "a"
    var mode: Bool?
    var library = Library()
    var part = Part()
    var number: Int8 = 0
    var selected: Note?

    static func sample() -> State {
      var state = State()
      for path in [\State.library, \State.part.other] {
        state[keyPath: path].performBatchUpdates { context in
          _ = context.modifying.notes.insert((0..<4).map { Note(id: $0, title: 0) })
        }
      }
      return state
    }
  }
}
