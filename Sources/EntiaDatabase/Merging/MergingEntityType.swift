/// An entity that says itself how payloads of it are merged.
///
/// ```swift
/// extension Book: MergingEntityType {
///   static var mergePolicy: MergePolicy<Book> { .fillingMissing(\.summary) }
/// }
/// context.modifying.books.merge(payload)
/// ```
public protocol MergingEntityType: EntityType {
  /// How an entity that is there is merged with one that comes.
  static var mergePolicy: MergePolicy<Self> { get }
}
