import EntiaCollections
import EntiaDatabase

/// The data that the cases of one size share, and keys in an order that is unrelated to that of the
/// data.
///
/// The lazy values are for reading. A case that writes creates its own.
final class Stage {
  let size: Int
  let isSmoke: Bool
  /// The number of rows for a case with "100 rows"; fewer if the table is smaller.
  let hundred: Int

  init(size: Int, isSmoke: Bool) {
    self.size = size
    self.isSmoke = isSmoke
    hundred = min(100, size)
  }

  private(set) lazy var authors = BlogData.authors(ofPosts: size)
  private(set) lazy var posts = BlogData.posts(size)
  private(set) lazy var data = BlogData(
    authors: authors, posts: posts, comments: BlogData.comments(ofPosts: size))

  /// The posts' raw IDs, shuffled.
  private(set) lazy var keys: [Int] = {
    var generator = SplitMix64(seed: 2)
    return (1...size).shuffled(using: &generator)
  }()

  private(set) lazy var postIDs: [Post.EntityID] = keys.map { Post.EntityID($0) }
  private(set) lazy var missingKeys: [Int] = keys.map { $0 + 2 * size }
  private(set) lazy var missingIDs: [Post.EntityID] = missingKeys.map { Post.EntityID($0) }

  /// The pages' IDs as strings, in the order of `keys`.
  private(set) lazy var stringKeys: [String] = keys.map(Self.stringKey)
  private(set) lazy var pageIDs: [Page.EntityID] = stringKeys.map { Page.EntityID($0) }
  private(set) lazy var pages: [Page] = posts.map {
    Page(
      entityID: Page.EntityID(Self.stringKey($0.id)), name: $0.name, authorID: $0.authorID,
      views: $0.views, score: $0.score)
  }

  /// The posts' entries in an index of views, in its order.
  private(set) lazy var viewsEntries = posts.map(\.viewsEntry).sorted(by: ViewsOrder.precedes)
  private(set) lazy var viewsTree = ViewsTree(viewsEntries)
  /// The entries in an order that is unrelated to their own.
  private(set) lazy var shuffledEntries = keys.map { viewsEntries[$0 - 1] }
  /// The tree that results from inserting the entries one by one in a shuffled order, as into an
  /// index.
  private(set) lazy var grownTree: ViewsTree = {
    var tree = ViewsTree()
    for entry in shuffledEntries { tree.insert(entry) }
    return tree
  }()

  private(set) lazy var identified = IdentifiedArrayOf<Post>(uniqueElements: posts)
  /// The posts for replacing or inserting many at once, with IDs of their own.
  private(set) lazy var newPosts = posts.prefix(min(1_000, max(1, size / 2))).map { post in
    Post(
      id: post.id + 2 * size, name: post.name, authorID: post.authorID, views: post.views,
      score: post.score)
  }

  private(set) lazy var table = Tables.Hash(posts)
  private(set) lazy var dictionary = Self.dictionary(posts)
  /// The posts with copies of their authors, without comments.
  private(set) lazy var nested = NestedPost.all(of: posts, authors, comments: [])
  /// The posts with their authors and comments, and the comments' authors.
  private(set) lazy var nestedWithComments = NestedPost.all(
    of: posts, authors, comments: data.comments)

  private(set) lazy var search = SearchBooks(count: size)
  private(set) lazy var searchIndex = SearchLibrary.index(of: Tables.Hash(search.books))

  private(set) lazy var blog = Result { try Blog(data) }
  private(set) lazy var dictionaryBlog = DictionaryBlog(data)

  #if canImport(CSQLite)
    /// For reading only.
    private(set) lazy var sqlitePosts = Result { try SQLitePosts(posts: posts) }
    private(set) lazy var sqliteSearch = Result { try SQLiteSearch(search.books) }
    private(set) lazy var sqliteBlog = Result { try SQLiteBlog(data) }
  #endif

  private var kept: AgedTable?

  /// A table after many random commits.
  var aged: AgedTable {
    if let kept { return kept }
    let made = AgedTable(posts, commits: isSmoke ? 2_000 : 2_000_000)
    kept = made
    return made
  }

  /// Returns the table after many random commits and releases it, so that only the caller
  /// references it.
  func takeAged() -> AgedTable {
    defer { kept = nil }
    return aged
  }

  static func dictionary(_ posts: [Post]) -> [Int: Post] {
    var result: [Int: Post] = [:]
    for post in posts { result[post.id] = post }
    return result
  }

  static func dictionary(_ pages: [Page]) -> [String: Page] {
    var result: [String: Page] = [:]
    for page in pages { result[page.entityID.raw] = page }
    return result
  }

  /// At most 15 bytes, like the IDs of many apps. Such a short string is stored inline in its 16
  /// bytes.
  private static func stringKey(_ id: Int) -> String { "post-\(id)" }
}
