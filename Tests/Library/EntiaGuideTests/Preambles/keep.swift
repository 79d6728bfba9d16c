import Entia
import EntiaSQLite

@Entity
private struct Note {
  let id: Int
  var text: String
}

@NormalizedStorage
private struct Drafts {
  @Table var notes: Tables.Hash<Note> = .init()
}

private struct EditorState: Equatable, Sendable {
  var blog = Blog()
  var drafts = Drafts()
}

private typealias Magazine = Drafts

private let path = "blog.sqlite"
