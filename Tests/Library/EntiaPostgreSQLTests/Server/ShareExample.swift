import Entia
import EntiaPostgreSQL

// The example of the article on sharing, two levels deeper.
enum ShareExample {
  @Entity
  struct Author {
    let id: String
    var name: String
  }

  @NormalizedStorage
  struct Blog {
    @Table var authors: Tables.Hash<Author> = .init()
  }

  struct AppState: Equatable, Sendable {
    var blog = Blog()
  }

  static func share(url: String) async throws {
    try await SharedDatabase<Blog>.install(connecting: url)  // once; repeating it does nothing
    let shared = try await SharedDatabase<Blog>(connecting: url, space: "team-7")
    let store = Store<AppState, Never>(initialState: AppState(blog: try await shared.load()))
    let sharing = try store.share(\.blog, through: shared)  // pulls others' batches, pushes ours
    sharing.onRejection { batch, error in
      print("taken back: \(batch.name ?? "a commit"), because \(error)")
    }
    store.batch(\.blog) { $0.authors.insert(Author(id: "ada", name: "Ada")) }
    try await sharing.settled()  // every local batch is confirmed or rejected
    print(sharing.status)
    // The end of the example.
    sharing.close()
    await shared.close()
  }
}
