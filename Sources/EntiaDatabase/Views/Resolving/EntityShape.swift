/// A value made of an entity and of what its relationships lead to, to whatever depth it declares.
///
/// ```swift
/// struct PostPage: EntityShape {
///   let title: String
///   let author: Author?
///   let comments: [CommentRow]
///
///   init(_ post: ResolvingView<Blog, Post>) {
///     title = post.title
///     author = post[\.postAuthor]?.entity
///     comments = post[inverse: \.commentPost, as: CommentRow.self]
///   }
/// }
///
/// var resolver = Resolver<Blog>()
/// let page = resolver.resolve(PostPage.self, of: "p1", in: blog)
/// ```
///
/// Its value must follow from what it reads through the view alone. Make it `Encodable`, and
/// `JSONEncoder` writes it as nested JSON.
public protocol EntityShape<Storage, Entity> {
  /// The database that it is read from.
  associatedtype Storage: NormalizedStorageType
  /// The entity that it begins with.
  associatedtype Entity: EntityType

  /// Creates the value from an entity, whose view leads to all others.
  init(_ entity: ResolvingView<Storage, Entity>)
}
