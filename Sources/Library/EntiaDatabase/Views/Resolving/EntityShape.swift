/// A value built from an entity and its related entities, to the depth that the shape declares.
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
/// The value must depend only on the data that it reads through the view. An `Encodable` shape is
/// encoded by `JSONEncoder` as nested JSON. A shape is `Sendable`, because a store returns one
/// cached value to all threads.
public protocol EntityShape<Storage, Entity>: Sendable {
  /// The database that the value is read from.
  associatedtype Storage: NormalizedStorageType
  /// The entity type that the value starts from.
  associatedtype Entity: EntityType

  /// Creates the value from an entity. Its view gives access to the related entities.
  init(_ entity: ResolvingView<Storage, Entity>)
}
