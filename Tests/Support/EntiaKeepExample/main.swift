// The first program of the section *A whole program* of the article on keeping.
import Entia
import EntiaSQLite

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

@NormalizedStorage
struct Blog {
  @Table var authors: Tables.Hash<Author> = .init()
  @Table var posts: Tables.Hash<Post> = .init()
  @Relationship var postAuthor: ToOne<Post, Author> = .init(\.author, onDelete: .cascade)
}

struct AppState: Equatable, Sendable {
  var blog = Blog()
}

let path = CommandLine.arguments.dropFirst().first ?? "blog.sqlite"
let file = try DatabaseFile<Blog>(path: path)  // opens or creates
let store = Store<AppState, Never>(initialState: AppState(blog: try file.load()))
let keeper = try store.keep(\.blog, in: file)  // saves after each commit
print("found \(store.state.blog.posts.count) posts")
while true {
  let id = "n\(store.state.blog.posts.count)"
  store.batch(\.blog) { tables in
    tables.authors.insert(Author(id: "me", name: "Me"))
    tables.posts.insert(Post(id: id, title: "News", author: "me"))
  }
  try await keeper.saved()  // on the disk: the process can be killed from here on
  print("saved \(id)")
}
