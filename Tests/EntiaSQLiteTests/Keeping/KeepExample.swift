import Entia
import EntiaSQLite

// The example of README.md, one level deeper.
enum KeepExample {
  struct Author: EntityType, Identifiable, Codable {
    let id: String
    var name: String
  }

  struct Post: EntityType, Identifiable, Codable {
    let id: String
    var title: String
    let author: Author.EntityID
  }

  @NormalizedStorage
  struct Blog {
    @Table var authors: Tables.Hash<Author> = .init()
    @Table var posts: Tables.Hash<Post> = .init()
    @Relationship var postAuthor: ToOne<Post, Author> = .init(\.author, onDelete: .cascade)
  }

  struct AppState: Equatable, Sendable {
    var blog = Blog()
  }

  static func editBlog(path: String) async throws -> Int {
    let file = try DatabaseFile<Blog>(path: path)  // opens or creates
    let store = Store<AppState, Never>(initialState: AppState(blog: try file.load()))
    let keeper = try store.keep(\.blog, in: file)  // saves after each commit
    store.batch(\.blog) { tables in
      tables.authors.insert(Author(id: "a1", name: "Mary"))
      tables.posts.insert(Post(id: "p\(tables.posts.count)", title: "News", author: "a1"))
    }
    try await keeper.saved()  // on the disk: the process can be killed from here on
    try file.close()
    return store.state.blog.posts.count
  }
}
