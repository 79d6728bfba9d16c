import Entia
import EntiaSQLite

// The later examples of the article on keeping, two levels deeper.
enum KeepExample {
  @Entity
  struct Author {
    let id: String
    var name: String
  }

  @Entity
  struct Post {
    let id: String
    var title: String
    let author: Author.EntityID
  }

  @Entity
  struct Person {
    let id: String
    var first: String
    var last: String
  }

  @Entity
  struct Article {
    let id: String
    var headline: String
    var rating: Int
    let author: Person.EntityID
  }

  @NormalizedStorage
  struct Blog {
    @Table var authors: Tables.Hash<Author> = .init()
    @Table var posts: Tables.Hash<Post> = .init()
  }

  @NormalizedStorage
  struct Drafts {
    @Table var posts: Tables.Hash<Post> = .init()
  }

  @NormalizedStorage
  struct Magazine {
    @Table var people: Tables.Hash<Person> = .init()
    @Table var posts: Tables.Hash<Article> = .init()
  }

  struct EditorState: Equatable, Sendable {
    var blog = Blog()
    var drafts = Drafts()
  }

  static func keepParts(path: String) async throws {
    let file = try DatabaseFile<Blog>(path: path)
    let drafts = try DatabaseFile<Drafts>(named: "drafts", in: file)
    let store = Store<EditorState, Never>(
      initialState: EditorState(blog: try file.load(), drafts: try drafts.load()))
    let keepers = [try store.keep(\.blog, in: file), try store.keep(\.drafts, in: drafts)]
    // The end of the example.
    store.commit { state in
      state.blog.performBatchUpdates { context in
        context.modifying.authors.insert(Author(id: "a", name: "Ada Lovelace"))
        context.modifying.posts.insert([
          Post(id: "1", title: "Notes", author: "a"), Post(id: "2", title: "Draft", author: "a"),
        ])
      }
      state.drafts.performBatchUpdates {
        $0.modifying.posts.insert(Post(id: "1", title: "Next", author: "a"))
      }
    }
    for keeper in keepers { try await keeper.saved() }
    try file.close()
  }

  static func migrate(path: String) throws -> DatabaseFile<Magazine> {
    let migrations: [Migration] = [
      .renamingMember("title", to: "headline", of: "posts"),
      .addingMember("rating", to: "posts", value: 3),
      .renamingTable("authors", to: "people"),
      .transforming("people", named: "split names") { row in
        var row = row
        let words = try row.value(String.self, of: "name").split(separator: " ", maxSplits: 1)
        row["first"] = .text(String(words.first ?? ""))
        row["last"] = .text(words.count == 2 ? String(words[1]) : "")
        row.members["name"] = nil
        return row
      },
      .custom("remove drafts") { tables in
        let posts = try tables.rows(of: "posts")
        try tables.setRows(posts.filter { $0["headline"] != .text("Draft") }, of: "posts")
      },
    ]
    print(try DatabaseFile<Magazine>.migrationPlan(path: path, migrations: migrations))
    let file = try DatabaseFile<Magazine>(path: path, migrations: migrations)
    // The end of the example.
    return file
  }
}
